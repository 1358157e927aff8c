import FxAudio

/// The lines of a text file with their numbers, without empty ones.
struct TextLines: Sequence {
  struct Line {
    /// Counted from 1.
    let number: Int
    /// Without spaces at its ends.
    let text: Substring

    /// The text for a message.
    var shown: String { ForeignText.visible(ForeignText.shortened(String(text), to: 60)) }

    /// A mistake on this line.
    func mistake(_ message: String) -> Failure { Failure(.damaged, "line \(number): \(message)") }
  }

  private let lines: [Line]

  /// nil for bytes that are no text.
  init?(_ bytes: [UInt8]) {
    guard let text = TextEncoding.text(bytes) else { return nil }
    self.init(text)
  }

  init(_ text: String) {
    var lines: [Line] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let trimmed = line.trimmed
      if !trimmed.isEmpty { lines.append(Line(number: index + 1, text: trimmed)) }
    }
    self.lines = lines
  }

  func makeIterator() -> IndexingIterator<[Line]> { lines.makeIterator() }
}

extension Substring {
  /// Without spaces at its ends.
  var trimmed: Substring {
    let front = drop { $0 == " " || $0 == "\t" }
    guard let last = front.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return front[...last]
  }

  /// The text as a tag has it: on one line, without characters that a terminal does not show.
  package var plain: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if !ForeignText.isHidden(scalar) {
        text.append(scalar)
      } else if scalar.value < 0x20 {
        text.append(" ")
      }
    }
    return String(text)
  }
}
