import FxAudio

/// Makes a test signal block by block. The samples do not depend on the block sizes.
///
/// It works in chunks of 256 frames on a fixed grid. Each chunk is made only from its position (for
/// coloured noise, also from the chunks before), so a long signal takes no more memory. Used by one
/// thread at a time.
package struct SignalGenerator {
  static let chunkFrameCount = 256

  package let signal: TestSignal
  package let sampleRate: Double
  package let channelCount: Int
  package let frameCount: Int
  /// The next frame to read.
  package private(set) var position = 0

  private let amplitude: Float
  private var programme: Programme?
  private var colours: [ColouredNoise] = []
  /// The samples of chunk `chunkIndex`, one channel after another.
  private var chunk: [Float]
  private var chunkIndex = -1

  package init(_ signal: TestSignal, sampleRate: Double, channels: Int, frameCount: Int) {
    self.signal = signal
    self.sampleRate = sampleRate.isFinite ? max(sampleRate, 1) : 1
    channelCount = max(channels, 0)
    self.frameCount = max(frameCount, 0)
    let level = signal.level.isFinite ? min(signal.level, 700) : -Double.infinity
    amplitude = Float(Math.amplitude(decibels: level))
    chunk = Array(repeating: 0, count: channelCount * Self.chunkFrameCount)
    rewind()
  }

  /// Goes back to the beginning.
  private mutating func rewind() {
    chunkIndex = -1
    switch signal.kind {
    case .pinkNoise, .brownNoise, .blueNoise, .violetNoise:
      colours =
        ColouredNoise(signal.kind, sampleRate: sampleRate)
        .map { Array(repeating: $0, count: channelCount) } ?? []
    case .programme:
      programme = Programme(
        seed: signal.seed, slotOffset: signal.slotOffset, sampleRate: sampleRate,
        channelCount: channelCount, amplitude: amplitude)
    default: break
    }
  }

  /// Sets the next frame to read. For coloured noise, all chunks up to this frame must be made.
  package mutating func seek(toFrame frame: Int) {
    position = min(max(frame, 0), frameCount)
    if position / Self.chunkFrameCount < chunkIndex, !colours.isEmpty { rewind() }
  }

  /// Writes up to `frameCount` frames into one buffer per channel. Returns the number of frames; 0
  /// at the end.
  package mutating func read(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> Int {
    let count = min(max(frameCount, 0), self.frameCount - position)
    var done = 0
    while done < count {
      let index = position / Self.chunkFrameCount
      if index != chunkIndex { make(index) }
      let offset = position - index * Self.chunkFrameCount
      let run = min(Self.chunkFrameCount - offset, count - done)
      chunk.withUnsafeBufferPointer { chunk in
        guard let start = chunk.baseAddress else { return }
        for channel in 0..<channelCount {
          (channels[channel] + done).update(
            from: start + channel * Self.chunkFrameCount + offset, count: run)
        }
      }
      done += run
      position += run
    }
    return count
  }

  // MARK: - Chunks

  /// Gives `body` access to the chunk's samples and to the generator at the same time.
  private mutating func withChunk(
    _ body: (inout SignalGenerator, UnsafeMutablePointer<Float>) -> Void
  ) {
    var lent: [Float] = []
    swap(&lent, &chunk)
    lent.withUnsafeMutableBufferPointer { samples in
      if let start = samples.baseAddress { body(&self, start) }
    }
    swap(&lent, &chunk)
  }

  private mutating func make(_ index: Int) {
    let start = index * Self.chunkFrameCount
    if !colours.isEmpty {
      for next in max(chunkIndex + 1, 0)...index { makeColouredNoise(next) }
      chunkIndex = index
      return
    }
    chunkIndex = index
    withChunk { generator, samples in
      switch generator.signal.kind {
      case .noise:
        for channel in 0..<generator.channelCount {
          NoiseStream.fill(
            samples + channel * Self.chunkFrameCount, count: Self.chunkFrameCount,
            key: NoiseStream.hash(generator.signal.seed, index, channel),
            amplitude: generator.amplitude)
        }
      case .programme: generator.programme?.fill(samples, chunk: index)
      case .pinkNoise, .brownNoise, .blueNoise, .violetNoise: break
      case .silence, .impulse, .tone, .sweep, .bursts:
        guard generator.channelCount > 0 else { return }
        generator.fillFirst(samples, start: start)
        for channel in 1..<max(generator.channelCount, 1) {
          (samples + channel * Self.chunkFrameCount).update(
            from: samples, count: Self.chunkFrameCount)
        }
      }
    }
  }

  private mutating func makeColouredNoise(_ index: Int) {
    let size = Self.chunkFrameCount
    withChunk { generator, samples in
      let amplitude = generator.amplitude
      for channel in generator.colours.indices {
        let run = samples + channel * size
        NoiseStream.fill(
          run, count: size, key: NoiseStream.hash(generator.signal.seed, index, channel),
          amplitude: 1)
        // The RMS is 12 dB below the peak.
        let scale = generator.colours[channel].normal * amplitude * 0.251_188_64
        generator.colours[channel].render(run, count: size, amplitude: scale, limit: amplitude)
      }
    }
  }

  /// Fills one channel of a signal that is the same in all channels.
  private func fillFirst(_ samples: UnsafeMutablePointer<Float>, start: Int) {
    let size = Self.chunkFrameCount
    let step = signal.frequency / sampleRate
    switch signal.kind {
    case .tone:
      Waves.fill(
        samples, count: size, from: Waves.turns(step, frame: start), step: step,
        amplitude: amplitude)
    case .sweep: fillSweep(samples, start: start)
    case .bursts: fillBursts(samples, start: start, step: step)
    case .impulse:
      samples.update(repeating: 0, count: size)
      let frame = (signal.start * sampleRate).rounded()
      if frame >= Double(start), frame < Double(start + size) {
        samples[Int(frame) - start] = amplitude
      }
    default: samples.update(repeating: 0, count: size)
    }
  }

  /// Phase `from L (exp(t / L) - 1)` turns with `L = duration / ln(to / from)`.
  private func fillSweep(_ samples: UnsafeMutablePointer<Float>, start: Int) {
    let growth = Math.log(signal.to / signal.from) / Double(max(frameCount, 1))
    guard signal.from > 0, signal.to > 0, growth.magnitude > 1e-15 else {
      let step = signal.from / sampleRate
      return Waves.fill(
        samples, count: Self.chunkFrameCount, from: Waves.turns(step, frame: start), step: step,
        amplitude: amplitude)
    }
    let scale = signal.from / sampleRate / growth
    let ratio = Math.exp(growth * 4)
    var rise = SIMD4<Double>()
    for lane in 0..<4 { rise[lane] = Math.exp(growth * Double(start + lane)) }
    for frame in stride(from: 0, to: Self.chunkFrameCount, by: 4) {
      let values = SIMD4<Float>(Waves.sine(turns: (rise - 1) * scale)) * amplitude
      UnsafeMutableRawPointer(samples + frame).storeBytes(of: values, as: SIMD4<Float>.self)
      rise *= ratio
    }
  }

  private func fillBursts(_ samples: UnsafeMutablePointer<Float>, start: Int, step: Double) {
    let period = max(Int((min(sampleRate, 1e12) * 0.5).rounded()), 1)
    let length = max(Int((min(sampleRate, 1e12) * 0.05).rounded()), 1)
    var frame = 0
    while frame < Self.chunkFrameCount {
      let phase = (start + frame) % period
      let left = Self.chunkFrameCount - frame
      let run = min(phase < length ? length - phase : period - phase, left)
      if phase < length {
        Waves.fill(
          samples + frame, count: run, from: Waves.turns(step, frame: phase), step: step,
          amplitude: amplitude)
      } else {
        (samples + frame).update(repeating: 0, count: run)
      }
      frame += run
    }
  }
}
