import CSndFile
import FxAudio
import Glibc

/// The comment that declares the channel layout in FLAC, if it is not the default for the number of
/// channels (RFC 9639, section 8.6.2).
///
/// libsndfile only writes its own comments. So one of the same length is a placeholder until the
/// encoder has written its header.
struct FLACChannelMask {
  private let comment: [UInt8]
  private let place: [UInt8]
  /// The length of libsndfile's own key with the equals sign.
  private static let keyLength = 8
  private static let headerLength = 1 << 16

  /// nil if FLAC's default layout is right.
  init?(_ layout: ChannelLayout, of file: OpaquePointer?) {
    guard layout != .flac(layout.channelCount) else { return nil }
    let digits = String(layout.mask, radix: 16, uppercase: true)
    comment = Array(
      "WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x\(String(repeating: "0", count: 4 - min(digits.count, 4)))\(digits)"
        .utf8)
    var text = layout.channels.map(\.label).joined(separator: " ")
    let length = comment.count - FLACChannelMask.keyLength
    text = String((text + String(repeating: ".", count: length)).prefix(length))
    place = Array(text.utf8)
    guard sf_set_string(file, Int32(SF_STR_COMMENT), text) == 0 else { return nil }
  }

  /// Replaces the placeholder in the written header.
  func write(to drain: ByteDrain) {
    let end = drain.seek(0, SEEK_CUR)
    defer { _ = drain.seek(end, SEEK_SET) }
    guard end > 0, drain.seek(0, SEEK_SET) == 0 else { return }
    var header = [UInt8](repeating: 0, count: min(end, FLACChannelMask.headerLength))
    let count = header.withUnsafeMutableBytes { bytes in
      bytes.baseAddress.map { drain.read($0, bytes.count) } ?? 0
    }
    guard let found = header.prefix(count).firstRange(of: place),
      case let start = found.lowerBound - FLACChannelMask.keyLength, start > 0,
      drain.seek(start, SEEK_SET) == start
    else { return }
    _ = drain.write(comment)
  }
}
