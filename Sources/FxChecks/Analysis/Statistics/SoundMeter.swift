import FxAudio
import Glibc

/// Accumulates the statistics of a sound block by block.
final class SoundMeter {
  static let windowSeconds = 0.05
  private static let transformLength = 4096

  struct Sums {
    var (peak, sum, energy) = (Float(0), 0.0, 0.0)
    var (clippedCount, nonFiniteCount, run) = (0, 0, 0)

    mutating func add(_ sample: Float) {
      guard sample.isFinite else {
        nonFiniteCount += 1
        return
      }
      peak = max(peak, abs(sample))
      sum += Double(sample)
      energy += Double(sample) * Double(sample)
      // One step below full scale in 16 bits also counts as full scale.
      run = abs(sample) >= 32767.0 / 32768 ? run + 1 : 0
      clippedCount += run == 3 ? 3 : run > 3 ? 1 : 0
    }

    func channel(frameCount: Int) -> SoundStatistics.Channel {
      let count = Double(max(frameCount, 1))
      return SoundStatistics.Channel(
        peak: Math.decibels(amplitude: Double(peak)),
        rms: Math.decibels(amplitude: Math.squareRoot(energy / count)), dc: sum / count,
        clippedCount: clippedCount, nonFiniteCount: nonFiniteCount)
    }
  }

  let sampleRate: Double
  private(set) var frameCount = 0
  private(set) var sums: [Sums]
  private(set) var loudness: LoudnessCurve?
  /// The RMS levels of windows, all channels together.
  private(set) var windows: [Float] = []
  private(set) var envelope = SoundEnvelope()
  private let windowLength: Int
  private var window = (energy: 0.0, count: 0)
  private let transform: FourierTransform?
  private let shape: [Float]
  private var held: [Float] = []
  private var power: [Double]
  private var transformCount = 0

  package init(_ format: StreamFormat) {
    sampleRate = format.sampleRate
    sums = Array(repeating: Sums(), count: format.channelCount)
    loudness = LoudnessCurve(format)
    let rate = sampleRate.isFinite ? min(max(sampleRate, 1), 1e9) : 1
    windowLength = max(1, Int((rate * SoundMeter.windowSeconds).rounded()))
    let length = SoundMeter.transformLength
    transform = FourierTransform(length: length)
    // A Hann window, scaled so that a full-scale sine in all channels has 0 dB.
    shape = (0..<length).map {
      Float((1 - cos(2 * Double.pi * Double($0) / Double(length))) * 2 / Double(length))
    }
    power = Array(repeating: 0, count: length / 2 + 1)
  }

  /// Adds frames: channels × frames.
  package func add(_ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) {
    for channel in sums.indices {
      let samples = channels[channel]
      for frame in 0..<frameCount { sums[channel].add(samples[frame]) }
    }
    let readable = UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafePointer<Float>.self)
    loudness?.add(readable, frameCount: frameCount)
    let scale = 1 / Float(max(sums.count, 1))
    for frame in 0..<frameCount {
      var (energy, mean) = (0.0, Float(0))
      var (low, high) = (Float.infinity, -Float.infinity)
      for channel in sums.indices {
        let sample = channels[channel][frame]
        guard sample.isFinite else { continue }
        low = min(low, sample)
        high = max(high, sample)
        energy += Double(sample) * Double(sample)
        mean += sample
      }
      addToWindow(energy * Double(scale))
      envelope.add(low: low, high: high, energy: energy * Double(scale))
      held.append(mean * scale)
      if held.count == SoundMeter.transformLength { addSpectrum() }
    }
    self.frameCount += frameCount
  }

  private func addToWindow(_ energy: Double) {
    window.energy += energy
    window.count += 1
    guard window.count == windowLength else { return }
    let mean = window.energy / Double(windowLength)
    windows.append(Float(Math.decibels(amplitude: Math.squareRoot(mean))))
    window = (0, 0)
  }

  private func addSpectrum() {
    defer { held.removeFirst(SoundMeter.transformLength / 2) }
    guard let transform else { return }
    let bins = transform.spectrum(zip(held, shape).map { $0 * $1 })
    for (index, bin) in bins.enumerated() { power[index] += bin.power }
    transformCount += 1
  }

  var spectrum: [Float] {
    power.map { Float(10 * log10(max($0 / Double(max(transformCount, 1)), 1e-30))) }
  }

  /// The statistics of the sound so far. A rest that does not fill a window has no level of its
  /// own.
  package func statistics() -> SoundStatistics {
    if transformCount == 0, !held.isEmpty {
      held += Array(repeating: 0, count: SoundMeter.transformLength - held.count)
      addSpectrum()
    }
    return SoundStatistics(self)
  }
}
