/// Times in lists of chapters.
package enum ChapterTime {
  /// Seconds with six digits after the point: less than a frame at any rate.
  package static func decimal(_ seconds: Double) -> String {
    let steps = Int((min(max(seconds, 0), SoundTags.timeLimit) * 1e6).rounded())
    return "\(steps / 1_000_000).\(String(1_000_000 + steps % 1_000_000).dropFirst())"
  }

  /// The frames of a CUE sheet in a second.
  static let sheetRate = 75

  /// The seconds of `mm:ss:ff`, where 75 frames make a second; nil for other texts.
  static func sheetFrames(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      (1...8).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        ? Int(part) : nil
    }
    guard parts.count == 3, numbers.count == 3, numbers[1] < 60, numbers[2] < sheetRate else {
      return nil
    }
    return (numbers[0] * 60 + numbers[1]) * sheetRate + numbers[2]
  }

  /// `mm:ss:ff`.
  static func sheetText(_ frames: Int) -> String {
    let fields = [frames / (60 * sheetRate), frames / sheetRate % 60, frames % sheetRate]
    return fields.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }

  /// The nearest frame of a sheet.
  static func sheetFrames(_ seconds: Double) -> Int {
    Int((min(max(seconds, 0), SoundTags.timeLimit) * Double(sheetRate)).rounded())
  }
}
