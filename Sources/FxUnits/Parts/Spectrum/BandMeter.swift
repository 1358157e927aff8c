import FxAudio

/// The levels of a sound in third-octave bands, from 20 Hz to 20 kHz (IEC 61260-1).
///
/// The spectra have Hann windows of 0.3 to 0.6 s, which start a quarter of a window apart. A bin on
/// the border of two bands is split between them. A band above half the sample rate is silent.
/// Allocated on the control thread,
/// used on the render thread.
struct BandMeter: ~Copyable {
  /// The nominal centre frequencies of the bands in hertz.
  static let centers: [Double] = [
    20, 25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250,
    1600,
    2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000, 12500, 16000, 20000,
  ]
  static var bandCount: Int { @_noLocks get { 31 } }

  private let length: Int
  private let transform: RealTransform
  private let window: SampleBuffer
  private let samples: SampleBuffer
  private let work: SampleBuffer
  private let real: SampleBuffer
  private let imaginary: SampleBuffer
  /// The lower edge of each band in bins, then the upper edge of the last band.
  private let edges: SampleBuffer
  private let powers: SampleBuffer
  private let scale: Float
  private var filled = 0

  package init(sampleRate: Double) {
    length = Self.length(sampleRate)
    transform = RealTransform(length: length)
    window = SampleBuffer(count: length)
    samples = SampleBuffer(count: length)
    work = SampleBuffer(count: length)
    real = SampleBuffer(count: transform.binCount)
    imaginary = SampleBuffer(count: transform.binCount)
    edges = SampleBuffer(count: Self.bandCount + 1)
    powers = SampleBuffer(count: Self.bandCount)
    var energy = 0.0
    for frame in 0..<length {
      let value = 0.5 - 0.5 * Math.cos(2 * Double.pi * Double(frame) / Double(length))
      window.samples[frame] = Float(value)
      energy += value * value
    }
    // The factor 2 is for both halves of the spectrum; the rest scales by the window's energy and
    // the length.
    scale = Float(2 / (energy * Double(length)))
    for band in 0...Self.bandCount {
      let edge = 1000 * Math.pow(10, (Double(band) - 17.5) / 10)
      edges.samples[band] = Float(
        min(edge * Double(length) / sampleRate, Double(transform.binCount - 1)))
    }
  }

  private static func length(_ sampleRate: Double) -> Int {
    var length = 1024
    while Double(length) < 0.3 * sampleRate, length < 65536 { length *= 2 }
    return length
  }

  package static func byteCount(sampleRate: Double) -> Int {
    let length = length(sampleRate)
    return RealTransform.byteCount(length: length) + 3 * SampleBuffer.byteCount(count: length)
      + 2 * SampleBuffer.byteCount(count: length / 2 + 1)
      + SampleBuffer.byteCount(count: bandCount + 1) + SampleBuffer.byteCount(count: bandCount)
  }

  // MARK: - Realtime

  /// The mean power of a band; a full-scale sine has 0.5.
  @_noLocks
  package func power(_ band: Int) -> Float { powers.samples[band] }

  /// Takes the next sample; true when the powers are new.
  @_noLocks
  package mutating func take(_ sample: Float) -> Bool {
    samples.samples[filled] = sample.finiteSample
    filled &+= 1
    guard filled == length else { return false }
    measure()
    let hop = length / 4
    samples.samples.update(copying: UnsafePointer(samples.samples + hop), count: length &- hop)
    filled = length &- hop
    return true
  }

  @_noLocks
  private func measure() {
    for frame in 0..<length { work.samples[frame] = samples.samples[frame] * window.samples[frame] }
    transform.forward(work.samples, real: real.samples, imaginary: imaginary.samples)
    for band in 0..<Self.bandCount {
      // A bin covers half a bin on either side of its frequency.
      let (low, high) = (edges.samples[band] + 0.5, edges.samples[band &+ 1] + 0.5)
      var sum: Float = 0
      var bin = Int(low)
      while Float(bin) < high && bin < transform.binCount {
        let start = Float(bin) > low ? Float(bin) : low
        let end = Float(bin &+ 1) < high ? Float(bin &+ 1) : high
        let (re, im) = (real.samples[bin], imaginary.samples[bin])
        sum += (end - start) * (re * re + im * im)
        bin &+= 1
      }
      powers.samples[band] = scale * sum
    }
  }

  @_noLocks
  package mutating func clear() {
    filled = 0
    powers.clear()
  }
}
