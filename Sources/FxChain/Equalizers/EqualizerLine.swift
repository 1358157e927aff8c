/// The words of a filter, before its numbers are read: `ON PK Fc 100 Hz Gain 3 dB Q 1.41`.
///
/// Its words are those of Equalizer APO's configuration reference and of the texts that Room EQ
/// Wizard exports.
struct EqualizerLine {
  /// A number as it is written, with its unit if there is one.
  struct Number {
    var text: String
    var unit = ""
  }

  enum Field: String, CaseIterable {
    case frequency = "Fc"
    case gain = "Gain"
    case q = "Q"
    case bandwidth = "BW"
  }

  let line: Int
  /// nil if the line has neither ON nor OFF.
  var isOn: Bool?
  /// In capitals, without spaces: `LSQ`; empty if there is none.
  var type = ""
  var slope: Number?
  var fields: [Field: Number] = [:]
  /// Words that no part of a filter uses.
  var unused: [String] = []

  init(line: Int) { self.line = line }

  /// Reads the text after `Filter 1:`.
  init(_ text: String, line: Int) throws(EqualizerRemark) {
    self.line = line
    var words = Self.words(text)[...]
    if let first = words.first?.lowercased(), first == "on" || first == "off" {
      isOn = first == "on"
      words.removeFirst()
    }
    // A filter that is off may have any words.
    if isOn == false { return }
    takeType(&words)
    while let word = words.popFirst() {
      if let field = Self.field(word) {
        try take(field, &words)
      } else if word.lowercased() == "t60" {
        // The Q already has the decay that Room EQ Wizard aims at.
        if words.first?.lowercased() == "target" { words.removeFirst() }
        _ = takeNumber(&words, unit: ["ms", "s"])
      } else {
        unused.append(word)
      }
    }
  }

  private static func field(_ word: String) -> Field? {
    switch word.lowercased() {
    case "fc": .frequency
    case "gain": .gain
    case "q": .q
    case "bw": .bandwidth
    default: nil
    }
  }

  // MARK: Words

  /// The words; a number and its unit are two, and so are a key and its number: `Fc:1000Hz`.
  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    for raw in text.split(whereSeparator: \.isWhitespace) {
      if raw.hasPrefix("#") { break }
      var word = raw[...]
      // `T60` and `LP1` stay whole.
      for key in ["fc", "gain", "q"] where word.lowercased().hasPrefix(key) {
        let rest = word.dropFirst(key.count)
        guard let next = rest.first, !next.isLetter, next != "_" else { break }
        words.append(String(word.prefix(key.count)))
        word = rest.drop { $0 == ":" || $0 == "=" }
        break
      }
      if word.isEmpty { continue }
      let end = word.firstIndex { !isNumeric($0) } ?? word.endIndex
      let unit = word[end...]
      let isNumber = word.first.map { !$0.isLetter } ?? false
      if isNumber, end > word.startIndex, unit.allSatisfy({ $0.isLetter || $0 == "/" }) {
        words.append(String(word[..<end]))
        if !unit.isEmpty { words.append(String(unit)) }
      } else {
        words.append(String(word))
      }
    }
    return words
  }

  private static func isNumeric(_ character: Character) -> Bool {
    EqualizerNumbers.isDigit(character) || "+-\u{2212}.,'".contains(character)
  }

  /// The type may have two words (`LP Q`, `All pass`), and a shelf a slope (`LS 6dB`, `LSC 10.8 dB`).
  private mutating func takeType(_ words: inout ArraySlice<String>) {
    guard let first = words.first, Self.field(first) == nil, first.first?.isLetter == true else {
      return
    }
    words.removeFirst()
    type = first.uppercased().filter { $0 != "_" }
    let second = words.first?.lowercased()
    if type == "ALL", second == "pass" {
      type = "ALLPASS"
      words.removeFirst()
    } else if second == "q",
      words.count < 2 || !EqualizerNumbers.isNumber(words[words.startIndex + 1])
    {
      type += "Q"
      words.removeFirst()
    } else if let next = words.first, EqualizerNumbers.isNumber(next) {
      slope = takeNumber(&words, unit: ["db", "db/oct", "db/octave"])
    }
  }

  // MARK: Fields

  private mutating func take(
    _ field: Field, _ words: inout ArraySlice<String>
  ) throws(EqualizerRemark) {
    var isOctaves = false
    if field == .bandwidth, let next = words.first?.lowercased(), next == "oct" {
      isOctaves = true
      words.removeFirst()
    }
    let found = words.first
    guard var number = takeNumber(&words, unit: ["hz", "khz", "db", "oct", "octaves"]) else {
      if let found, Self.field(found) == nil {
        throw mistake("'\(found)' behind \(field.rawValue) is not a number")
      }
      throw mistake("a number is missing behind \(field.rawValue)")
    }
    if isOctaves { number.unit = "oct" }
    let units: [String] =
      switch field {
      case .frequency: ["", "hz", "khz"]
      case .gain: ["", "db"]
      case .q: [""]
      case .bandwidth: ["", "oct", "octaves", "hz"]
      }
    guard units.contains(number.unit) else {
      throw mistake("\(field.rawValue) cannot be in \(number.unit)")
    }
    guard fields.updateValue(number, forKey: field) == nil else {
      throw mistake("\(field.rawValue) is given twice")
    }
  }

  /// A number and one of these units, if it follows; a space may stand between thousands.
  private func takeNumber(_ words: inout ArraySlice<String>, unit: [String]) -> Number? {
    guard let first = words.first, EqualizerNumbers.isNumber(first) else { return nil }
    words.removeFirst()
    var number = Number(text: first)
    while let next = words.first, Self.continues(number.text, next) {
      number.text += "'" + next
      words.removeFirst()
    }
    if let next = words.first?.lowercased(), unit.contains(next) {
      number.unit = next
      words.removeFirst()
    }
    return number
  }

  /// True for `12` and `500`: a locale separates thousands by a space.
  private static func continues(_ text: String, _ next: String) -> Bool {
    let group = next.prefix { EqualizerNumbers.isDigit($0) }
    let rest = next.dropFirst(group.count)
    guard group.count == 3, rest.isEmpty || rest.first == "." || rest.first == "," else {
      return false
    }
    let last = text.split(separator: "'").last ?? ""
    return (1...3).contains(last.count) && last.allSatisfy(EqualizerNumbers.isDigit)
  }

  private func mistake(_ message: String) -> EqualizerRemark {
    EqualizerRemark(line: line, message: message)
  }
}
