import CRealtime
import FxAudio
import FxKit
import FxMedia
import Glibc

extension Sound {
  /// The sound as a FLAC file in memory, with 24 bits and without dither. Samples that are not
  /// finite become silence.
  ///
  /// - Returns: nil if FLAC has no such sound: no frames, more than eight channels, or a sample rate
  ///   that is no whole number.
  func flacFile() -> [UInt8]? {
    guard frameCount > 0, (1...8).contains(channelCount), (1...655_350).contains(sampleRate),
      sampleRate == sampleRate.rounded()
    else { return nil }
    let descriptor = fx_shared_memory_make(0)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var finite = self
    for channel in finite.channels.indices {
      for frame in finite.channels[channel].indices
      where !finite.channels[channel][frame].isFinite { finite.channels[channel][frame] = 0 }
    }
    do throws(Failure) {
      var encoding = FileEncoding(depth: .int24, isDithered: false)
      encoding.format = FileFormat.flac.rawValue
      let sink = try FileSink.stream(
        to: descriptor, name: "a report", format: finite.streamFormat, encoding: encoding)
      try finite.write(to: sink)
      try sink.complete()
      try sink.finish()
    } catch {
      return nil
    }
    return Self.bytes(of: descriptor)
  }

  private static func bytes(of descriptor: Int32) -> [UInt8]? {
    let size = lseek(descriptor, 0, SEEK_END)
    guard size > 0 else { return nil }
    var bytes = [UInt8](repeating: 0, count: size)
    var done = 0
    while done < size {
      let count = bytes.withUnsafeMutableBytes { buffer in
        buffer.baseAddress.map { pread(descriptor, $0 + done, size - done, off_t(done)) } ?? 0
      }
      guard count > 0 else { return nil }
      done += count
    }
    return bytes
  }
}
