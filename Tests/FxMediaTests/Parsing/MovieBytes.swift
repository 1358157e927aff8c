@testable import FxMedia

/// An MP4 file with one sound track, whose packets are one byte each from byte 600 on.
struct MovieBytes {
  var packetCount = 10
  /// Runs of packets with the same number of frames.
  var durations: [(count: Int, frames: Int)] = [(10, 1024)]
  /// The length in the edit list, in 1/90000 s.
  var editedLength = 0

  private func box(_ kind: String, _ content: [UInt8]...) -> [UInt8] {
    let content = Array(content.joined())
    return number(content.count + 8) + Array(kind.utf8) + content
  }

  private func number(_ value: Int, _ width: Int = 4) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  private func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  var bytes: [UInt8] {
    let sound = box("mp4a", zeros(16), number(2, 2), number(16, 2), zeros(4), number(44100 << 16))
    let times = durations.flatMap { number($0.count) + number($0.frames) }
    let table = box(
      "stbl", box("stsd", zeros(4), number(1), sound),
      box("stts", zeros(4), number(durations.count), times),
      box("stsz", zeros(4), number(1), number(packetCount)),
      box("stsc", zeros(4), number(1), number(1), number(packetCount), number(1)),
      box("stco", zeros(4), number(1), number(600)))
    let edits = box(
      "elst", number(1 << 24), number(1), number(editedLength, 8), zeros(8), number(65536))
    let media = box(
      "mdia", box("mdhd", zeros(12), number(44100), zeros(8)),
      box("hdlr", zeros(8), Array("soun".utf8), zeros(13)), box("minf", table))
    let movie = box(
      "moov", box("mvhd", zeros(12), number(90000), zeros(84)),
      box("trak", box("edts", edits), media))
    return box("ftyp", Array("M4A \0\0\0\0M4A mp42".utf8)) + movie + box("mdat", zeros(1000))
  }
}
