import FxAudio

/// Overlapping pieces of a sound as spectra and back: Hann's window, one half of it each way, a
/// quarter of a piece apart.
///
/// A piece lasts 43 ms at 48 kHz, the same within a factor of √2 at every rate. Allocated on the control thread,
/// used on the render thread.
package struct SpectralFrames: ~Copyable {
  package let length: Int
  package let hop: Int
  package let binCount: Int
  /// The bins, filled up to whole vectors of eight.
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
      // The root of Hann's window.
      window.samples[frame] = Float(Math.sin(Double.pi * Double(frame) / Double(length)))
    }
  }

  /// The bins of a piece of so many frames, filled up to whole vectors of eight.
  static func rowCount(length: Int) -> Int { (length / 2 + 8) & ~7 }

  /// Frames of a piece.
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

  /// The spectrum of a piece.
  @_noLocks
  package func analyze(
    _ samples: UnsafePointer<Float>, real: UnsafeMutablePointer<Float>,
    imaginary: UnsafeMutablePointer<Float>
  ) {
    for frame in 0..<length { work.samples[frame] = samples[frame] * window.samples[frame] }
    transform.forward(work.samples, real: real, imaginary: imaginary)
  }

  /// Adds the piece of a spectrum to what is there.
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
