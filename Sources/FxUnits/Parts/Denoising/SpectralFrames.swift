import FxAudio

/// Transforms overlapping pieces of a sound to spectra and back. The pieces are a quarter of their
/// length apart. Each way uses the square root of Hann's window.
///
/// A piece lasts 43 ms at 48 kHz, and the same within a factor of √2 at other sample rates.
/// Allocated on the control thread, used on the render thread.
struct SpectralFrames: ~Copyable {
  package let length: Int
  package let hop: Int
  package let binCount: Int
  /// The bin count, rounded up to whole vectors of eight.
  var rowCount: Int { @_noLocks get { (binCount &+ 7) & ~7 } }
  private let transform: RealTransform
  private let window: SampleBuffer
  private let work: SampleBuffer

  package init(sampleRate: Double) {
    length = Self.length(sampleRate: sampleRate)
    hop = length / 4
    transform = RealTransform(length: length)
    binCount = transform.binCount
    window = SampleBuffer(count: length)
    work = SampleBuffer(count: length)
    for frame in 0..<length {
      // The square root of Hann's window.
      window.samples[frame] = Float(Math.sin(Double.pi * Double(frame) / Double(length)))
    }
  }

  /// The bin count of a piece of this length, rounded up to whole vectors of eight.
  static func rowCount(length: Int) -> Int { (length / 2 + 8) & ~7 }

  /// The length of a piece in frames.
  package static func length(sampleRate: Double) -> Int {
    var length = 256
    while Double(length) * 1.414 < 0.0427 * sampleRate, length < 16384 { length *= 2 }
    return length
  }

  package static func byteCount(sampleRate: Double) -> Int {
    let length = length(sampleRate: sampleRate)
    return RealTransform.byteCount(length: length) + 2 * SampleBuffer.byteCount(count: length)
  }

  // MARK: - Realtime

  /// Writes the spectrum of a piece.
  @_noLocks
  func analyze(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<length { work.samples[frame] = samples[frame] * window.samples[frame] }
    transform.forward(work.samples, real: real, imaginary: imaginary)
  }

  /// Transforms a spectrum back and adds the piece to `samples`.
  @_noLocks
  package func add(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>,
    to samples: UnsafeMutablePointer<Float>
  ) {
    transform.inverse(real: real, imaginary: imaginary, to: work.samples)
    for frame in 0..<length {
      samples[frame] += 0.5 * window.samples[frame] * work.samples[frame]
    }
  }
}
