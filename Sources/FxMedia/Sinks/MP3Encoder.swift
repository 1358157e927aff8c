import CLAME
import FxAudio
import Glibc

/// Encodes MP3 with libmp3lame, at the level of the sound.
///
/// A file begins with an information frame, which is rewritten regularly and at the end. A pipe has
/// none.
final class MP3Encoder: SampleEncoder {
  private(set) var failureMessage: String?
  private let drain: ByteDrain
  private let channelCount: Int
  private var encoder: lame_t?
  private var tag: MPEGTagFrame
  private var frameCount = 0
  private let samples: PlanarBuffer
  private let output: UnsafeMutablePointer<UInt8>
  private static let blockFrameCount = 4096
  /// What the library asks for: 1.25 bytes for each frame, and 7200.
  private static let outputByteCount = blockFrameCount * 5 / 4 + 7200
  /// LAME aborts the process at larger samples.
  private static let greatest: Float = 10_000

  init(
    _ drain: ByteDrain, _ format: StreamFormat, _ encoding: FileEncoding
  ) throws(Failure) {
    self.drain = drain
    channelCount = format.channelCount
    samples = PlanarBuffer(channelCount: channelCount, frameCount: Self.blockFrameCount)
    output = .allocate(capacity: Self.outputByteCount)
    encoder = Self.prepared(format, encoding)
    tag = MPEGTagFrame(Self.properties(of: encoder, encoding))
    guard encoder != nil else {
      throw Failure(
        .unsupportedFormat, drain.name, "cannot be encoded: LAME refuses this format; use .wav")
    }
  }

  deinit {
    if let encoder { lame_close(encoder) }
    output.deallocate()
  }

  /// An encoder that keeps the level. The preset of a constant bit rate multiplies the scale by
  /// less than 1; the inverse of its result undoes this.
  private static func prepared(_ format: StreamFormat, _ encoding: FileEncoding) -> lame_t? {
    guard let first = made(format, encoding, scale: 1) else { return nil }
    let scale = lame_get_scale(first)
    guard scale != 1, scale > 0 else { return first }
    lame_close(first)
    return made(format, encoding, scale: 1 / scale)
  }

  private static func made(
    _ format: StreamFormat, _ encoding: FileEncoding, scale: Float
  ) -> lame_t? {
    guard let encoder = lame_init() else { return nil }
    let rate = Int32(format.sampleRate)
    lame_set_in_samplerate(encoder, rate)
    lame_set_out_samplerate(encoder, rate)
    lame_set_num_channels(encoder, Int32(format.channelCount))
    if format.channelCount == 1 { lame_set_mode(encoder, MONO) }
    lame_set_write_id3tag_automatic(encoder, 0)
    lame_set_bWriteVbrTag(encoder, 0)
    lame_set_scale(encoder, scale)
    if let kilobits = encoding.kilobits {
      lame_set_VBR(encoder, vbr_off)
      lame_set_brate(encoder, Int32(kilobits))
    } else {
      lame_set_VBR(encoder, vbr_mtrh)
      lame_set_VBR_quality(encoder, Float(10 * (1 - (encoding.quality ?? 0.6))))
    }
    guard lame_init_params(encoder) >= 0 else {
      lame_close(encoder)
      return nil
    }
    return encoder
  }

  private static func properties(
    of encoder: lame_t?, _ encoding: FileEncoding
  ) -> MPEGTagFrame.Encoder {
    guard let encoder else {
      return MPEGTagFrame.Encoder(version: "", kilobits: nil, quality: 0, lowpass: 0, delay: 0)
    }
    return MPEGTagFrame.Encoder(
      version: "LAME" + String(cString: get_lame_short_version()), kilobits: encoding.kilobits,
      quality: Double(lame_get_VBR_quality(encoder)),
      lowpass: Int(lame_get_lowpassfreq(encoder)), delay: Int(lame_get_encoder_delay(encoder)))
  }

  func write(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) -> Bool {
    guard let encoder else { return false }
    for start in stride(from: 0, to: frameCount, by: Self.blockFrameCount) {
      let count = min(frameCount - start, Self.blockFrameCount)
      for channel in 0..<channelCount {
        let (source, target) = (channels[channel] + start, samples[channel])
        for frame in 0..<count {
          let sample = source[frame]
          // Only for NaN and infinities is the difference from itself not zero.
          target[frame] =
            sample - sample == 0 ? max(-Self.greatest, min(sample, Self.greatest)) : 0
        }
      }
      let written = lame_encode_buffer_ieee_float(
        encoder, samples[0], samples[channelCount - 1], Int32(count), output,
        Int32(Self.outputByteCount))
      guard put(written) else { return false }
      self.frameCount += count
    }
    return true
  }

  /// Writes the bytes of the output, or remembers the encoder's error.
  private func put(_ count: Int32) -> Bool {
    guard count >= 0 else {
      failureMessage = "LAME reports error \(count)"
      return false
    }
    guard count > 0 else { return true }
    let isFirst = tag.frameCount == 0
    tag.count(UnsafeBufferPointer(start: output, count: Int(count)))
    if isFirst, drain.isSeekable {
      guard drain.write([UInt8](repeating: 0, count: tag.byteCount)) else { return false }
    }
    return drain.write(output, Int(count)) == Int(count)
  }

  func finish() -> Bool {
    guard let encoder else { return false }
    guard put(lame_encode_flush(encoder, output, Int32(Self.outputByteCount))) else {
      return false
    }
    return drain.flush() && writeTag(sampleCount: frameCount)
  }

  func refresh() -> Bool { drain.flush() && writeTag(sampleCount: nil) }

  private func writeTag(sampleCount: Int?) -> Bool {
    guard drain.isSeekable else { return true }
    return FilePatch(0, tag.bytes(sampleCount: sampleCount)).write(to: drain.descriptor)
  }

  /// The information frame already exists and is only rewritten, so this needs no disk space.
  func salvage() -> Bool {
    guard let end = drain.forgive() else { return false }
    let length = tag.cut(toByteCount: end)
    return tag.frameCount > 0 && ftruncate(drain.descriptor, length) == 0
      && writeTag(sampleCount: nil)
  }
}
