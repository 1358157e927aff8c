/// Notes by name: `C4` is 60, `A4` 69, `F#3`, `Bb-1`.
enum NoteName {
  private static let semitones: [Character: Int] = [
    "c": 0, "d": 2, "e": 4, "f": 5, "g": 7, "a": 9, "b": 11,
  ]

  /// The number of a note; nil for an invalid name. It may be outside 0 to 127.
  static func number(_ text: String) -> Int? {
    var rest = Substring(text.trimmed.lowercased())
    guard let letter = rest.popFirst(), var number = semitones[letter] else { return nil }
    while let accidental = rest.first, "#♯b♭".contains(accidental) {
      number += accidental == "#" || accidental == "♯" ? 1 : -1
      rest.removeFirst()
    }
    guard rest.utf8.count <= 2, let octave = Int(rest), rest.first != "+" else { return nil }
    return number + (octave + 1) * 12
  }
}
