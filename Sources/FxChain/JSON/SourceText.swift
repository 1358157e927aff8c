/// The text of a chain file and the positions of its lines.
package final class SourceText: Sendable {
  /// The name of the file in messages.
  package let path: String
  package let bytes: [UInt8]
  /// The code that made the text, if it was not written by hand.
  let code: CodeOrigin?
  /// The offset of the first byte of each line.
  let lineStarts: [Int]
  /// True if every character is one byte, which makes columns fast to compute.
  private let isASCII: Bool

  package init(path: String, bytes: [UInt8], code: CodeOrigin? = nil) {
    self.path = path
    self.bytes = bytes
    self.code = code
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = bytes[index]
        if byte == 0x0A {
          starts.append(index + 1)
        } else if byte == 0x0D, index + 1 == bytes.count || bytes[index + 1] != 0x0A {
          starts.append(index + 1)
        }
      }
    }
    lineStarts = starts
    isASCII = bytes.withUnsafeBufferPointer { bytes in bytes.allSatisfy { $0 < 0x80 } }
  }

  /// Line and column of a byte, both from 1, the column in characters.
  package func position(of offset: Int) -> (line: Int, column: Int) {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineIndex(of: offset)
    return (line + 1, characterCount(lineStart(line)..<offset) + 1)
  }

  /// The number of characters in a range of bytes that does not split a character.
  func characterCount(_ range: Range<Int>) -> Int {
    if isASCII { return range.count }
    let part = bytes[range]
    if part.allSatisfy({ $0 < 0x80 }) { return part.count }
    return String(decoding: part, as: UTF8.self).count
  }

  /// The bytes of the line at an offset, without the line end.
  func lineRange(around offset: Int) -> Range<Int> {
    let line = lineIndex(of: min(max(offset, 0), bytes.count))
    let start = lineStart(line)
    var end = line + 1 < lineStarts.count ? lineStarts[line + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The text with some ranges, which do not overlap, replaced.
  package func replacing(_ edits: [(range: Range<Int>, text: String)]) -> [UInt8] {
    var changed = bytes
    for edit in edits.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      changed.replaceSubrange(edit.range, with: edit.text.utf8)
    }
    return changed
  }

  package func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func lineStart(_ line: Int) -> Int {
    // A byte order mark is not part of the first line.
    line == 0 && bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : lineStarts[line]
  }

  private func lineIndex(of offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }
}
