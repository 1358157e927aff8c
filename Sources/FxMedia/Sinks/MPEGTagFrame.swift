/// Makes the information frame at the start of an MP3 file: the number of frames, a table for
/// seeking, and the samples that the encoder added in front and behind.
///
/// It is a frame of silence, in which Xing's header and LAME's follow the side information
/// (http://gabriel.mp3-tech.org/mp3infotag.html). It has the bit rate that gives it enough bytes:
/// LAME's own has the bit rate of the sound, and is left out below 64 kbit/s.
struct MPEGTagFrame {
  /// Properties of the encoder.
  struct Encoder {
    /// Nine characters: `LAME3.100`.
    var version: String
    /// In kbit/s; nil for a variable rate.
    var kilobits: Int?
    /// From 0, best, to 9.
    var quality: Double
    /// In Hz.
    var lowpass: Int
    /// Samples that the encoder adds in front.
    var delay: Int
  }

  private let encoder: Encoder
  /// The first header of the sound; nil before there is one.
  private var first: MPEGHeader?
  private var header: [UInt8] = []
  /// Bytes of each frame of the sound.
  private var sizes: [UInt16] = []
  /// Bytes of the current frame that are not received yet.
  private var missing = 0
  private var checksum: UInt32 = 0

  init(_ encoder: Encoder) { self.encoder = encoder }

  /// Frames of the sound so far.
  var frameCount: Int { sizes.count }

  /// The size of the information frame; 0 before the first frame of the sound.
  var byteCount: Int { tagHeader.flatMap { MPEGTagFrame.size($0) } ?? 0 }

  /// Counts the frames in the encoder's next bytes. The encoder writes whole headers.
  mutating func count(_ bytes: UnsafeBufferPointer<UInt8>) {
    checksum = CyclicSum.flacFrame.continued(
      checksum, bytes.lazy.map { MPEGTagFrame.reversed[Int($0)] })
    var place = 0
    while place < bytes.count {
      if missing == 0 {
        guard place + 4 <= bytes.count, let start = bytes.baseAddress,
          let header = MPEGHeader(start + place), let size = header.byteCount
        else { return }
        if first == nil {
          first = header
          self.header = Array(bytes[place..<place + 4])
        }
        sizes.append(UInt16(clamping: size))
        missing = size
      }
      let count = min(missing, bytes.count - place)
      missing -= count
      place += count
    }
  }

  /// Forgets the frames that do not fit into a file of this length. Returns the length of the rest.
  mutating func cut(toByteCount limit: Int) -> Int {
    var end = byteCount
    var kept = 0
    while kept < sizes.count, end + Int(sizes[kept]) <= limit {
      end += Int(sizes[kept])
      kept += 1
    }
    sizes.removeLast(sizes.count - kept)
    missing = 0
    // The checksum of fewer bytes is unknown.
    checksum = 0
    return end
  }

  /// The information frame for the frames so far; empty before the first one.
  ///
  /// - Parameter sampleCount: the samples of the sound; nil if its end is not encoded yet.
  func bytes(sampleCount: Int?) -> [UInt8] {
    guard let first, let tagHeader, let size = MPEGTagFrame.size(tagHeader) else { return [] }
    let total = sizes.reduce(size) { $0 + Int($1) }
    var bytes = tagHeader + [UInt8](repeating: 0, count: first.sideInfoByteCount)
    func number(_ value: Int, _ width: Int) { bytes += FilePatch.big(0, value, width).bytes }
    bytes += Array((encoder.kilobits == nil ? "Xing" : "Info").utf8)
    number(MPEGTagFrame.fields, 4)
    number(sizes.count, 4)
    number(min(total, 0xffff_ffff), 4)
    bytes += seekTable(from: size, total)
    number(Int(max(0, 100 - 10 * encoder.quality)), 4)
    bytes += Array((encoder.version + "         ").utf8.prefix(9))
    // The version of the tag, 0, and the method: a constant rate, or `vbr_mtrh`.
    number(encoder.kilobits == nil ? 4 : 1, 1)
    number(min(encoder.lowpass / 100, 255), 1)
    // No peak and no gains: the tags have those.
    number(0, 8)
    number(0, 1)
    number(min(encoder.kilobits ?? 0, 255), 1)
    let padding = sampleCount.map { sizes.count * first.samplesPerFrame - encoder.delay - $0 }
    number(min(encoder.delay, 0xfff) << 12 | min(max(padding ?? 0, 0), 0xfff), 3)
    let source = first.sampleRate <= 32000 ? 0 : first.sampleRate == 44100 ? 1 : 2
    number(source << 6 | (first.isMono ? 0 : 3) << 2, 1)
    number(0, 3)
    number(min(total, 0xffff_ffff), 4)
    number(MPEGTagFrame.reflected(checksum), 2)
    let sum = CyclicSum.flacFrame(bytes.lazy.map { MPEGTagFrame.reversed[Int($0)] })
    number(MPEGTagFrame.reflected(sum), 2)
    return bytes + [UInt8](repeating: 0, count: max(0, size - bytes.count))
  }

  /// Frames, bytes, seek table and quality.
  private static let fields = 0xf
  /// Bytes of the two headers.
  private static let contentByteCount = 156

  /// The header of the information frame: that of the sound, with the lowest bit rate that gives
  /// it enough bytes, or with the sound's own if that is higher.
  private var tagHeader: [UInt8]? {
    guard let first, header.count == 4 else { return nil }
    let least = 4 + first.sideInfoByteCount + Self.contentByteCount
    for rate in UInt8(1)..<15 {
      // No padding.
      let candidate = [header[0], header[1], header[2] & 0x0d | rate << 4, header[3]]
      guard let size = Self.size(candidate), size >= least else { continue }
      if encoder.kilobits == nil || rate >= header[2] >> 4 { return candidate }
    }
    return nil
  }

  private static func size(_ header: [UInt8]) -> Int? {
    header.withUnsafeBufferPointer { $0.baseAddress.flatMap { MPEGHeader($0)?.byteCount } }
  }

  /// For each percent of the time, the place in 256ths of the file.
  private func seekTable(from size: Int, _ total: Int) -> [UInt8] {
    var (place, frame) = (size, 0)
    return (0..<100).map { percent in
      let target = percent * sizes.count / 100
      while frame < target {
        place += Int(sizes[frame])
        frame += 1
      }
      return UInt8(min(place * 256 / max(total, 1), 255))
    }
  }

  // The checksum is FLAC's with reflected bits.
  private static let reversed: [UInt8] = (0..<256).map { byte in
    (0..<8).reduce(UInt8(0)) { $0 | UInt8(byte >> $1 & 1) << (7 - $1) }
  }

  private static func reflected(_ sum: UInt32) -> Int {
    Int(reversed[Int(sum & 0xff)]) << 8 | Int(reversed[Int(sum >> 8 & 0xff)])
  }
}
