import FxAudio

/// The lines of an equalizer text, sorted into commands whose numbers are not read yet.
struct EqualizerLines {
  private(set) var raws: [EqualizerRawCommand] = []
  private(set) var notes: [EqualizerRemark] = []
  private(set) var mistakes: [EqualizerRemark] = []
  private(set) var hasFilters = false
  /// The filters are those of a Behringer DCX2496.
  private(set) var isDCX = false

  private let lines: [String]
  private var scope: EqualizerScope
  private var table = EqualizerTable()
  /// The lines before the first filter are the heading of Room EQ Wizard.
  private var isHeading: Bool
  /// The first line of a device, and its pattern.
  private var device: (line: Int, name: String)?

  init(_ text: String, scope: EqualizerScope) {
    self.scope = scope
    lines =
      text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" || $0 == "\r" }
      .map { Self.plain(String($0)).trimmed }
    var table = EqualizerTable()
    isHeading = lines.contains { line in
      line.lowercased().hasPrefix("filter settings file") || line.hasPrefix("Room EQ V")
        || table.takeHeader(line)
    }
  }

  var samples: [EqualizerNumbers.Sample] { raws.flatMap(\.samples) }

  mutating func read() {
    for (index, line) in lines.enumerated() {
      do throws(EqualizerRemark) {
        try read(line, number: index + 1)
      } catch {
        mistakes.append(error)
      }
    }
  }

  /// Spaces that do not break, between a digit and three digits, become the apostrophe that Swiss
  /// locales write there; others become spaces.
  private static func plain(_ line: String) -> String {
    let characters = Array(line)
    func isDigit(_ index: Int) -> Bool {
      characters.indices.contains(index) && EqualizerNumbers.isDigit(characters[index])
    }
    return String(
      characters.indices.map { index in
        switch characters[index] {
        case "\u{2019}": "'"
        case "\u{A0}", "\u{202F}", "\u{2007}", "\u{2009}":
          isDigit(index - 1) && (1...3).allSatisfy { isDigit(index + $0) } && !isDigit(index + 4)
            ? "'" : " "
        default: characters[index]
        }
      })
  }

  // MARK: Commands

  private mutating func read(_ line: String, number: Int) throws(EqualizerRemark) {
    if line.isEmpty || line.hasPrefix("#") || table.takeHeader(line) { return }
    if let row = try table.row(line, line: number) {
      isHeading = false
      hasFilters = true
      return add(.filter(row), number)
    }
    guard let colon = line.firstIndex(of: ":") else { return try readPlain(line, number) }
    let key = String(line[..<colon]).trimmed
    let rest = String(line[line.index(after: colon)...]).trimmed
    let name = key.lowercased()
    if Self.isFilter(name) {
      isHeading = false
      hasFilters = true
      try refuseExpression(rest, number)
      if let filter = try Self.coefficients(rest, number) { return add(.done(filter), number) }
      return add(.filter(try EqualizerLine(rest, line: number)), number)
    }
    switch name {
    case "preamp", "graphiceq", "channel", "delay": try refuseExpression(rest, number)
    default: break
    }
    try readCommand(key, name, rest, number)
  }

  private mutating func readCommand(
    _ key: String, _ name: String, _ rest: String, _ number: Int
  ) throws(EqualizerRemark) {
    switch name {
    case "preamp":
      let (level, unused) = try Self.level(rest, number)
      if !unused.isEmpty { note("'\(unused)' is not used", number) }
      add(.preamp(level), number)
    case "graphiceq": add(.graphic(try Self.points(rest, number)), number)
    case "channel": try takeChannels(rest, number)
    case "stage": try takeStages(rest, number)
    case "device": try takeDevice(rest, number)
    case "delay": add(try Self.delay(rest, number), number)
    case "copy": add(.done(.copy(rest)), number)
    case "convolution": add(.done(.convolution(rest)), number)
    case "include": add(.done(.include(rest)), number)
    case "vstplugin", "loudnesscorrection": add(.done(.other(key)), number)
    case "eval": note("'Eval' is not used: fxrun does not evaluate expressions", number)
    case "if", "elseif", "else", "endif":
      throw EqualizerRemark(
        line: number,
        message: "fxrun does not evaluate '\(key)'; keep only the lines that shall apply")
    case "equaliser", "equalizer": isDCX = rest.lowercased().contains("dcx2496")
    case "notes", "dated": break
    default:
      if !isHeading { note("the line is not used: '\(key)' is no command of an equalizer", number) }
    }
  }

  /// `Filter`, `Filter 1`, `Filter1`, but not `Filter Settings file`.
  private static func isFilter(_ name: String) -> Bool {
    guard name.hasPrefix("filter") else { return false }
    return name.dropFirst(6).allSatisfy { !$0.isLetter }
  }

  /// A line without a colon is a heading or forgotten text, unless it was meant as a command.
  private mutating func readPlain(_ line: String, _ number: Int) throws(EqualizerRemark) {
    let words = line.lowercased().split(whereSeparator: \.isWhitespace)
    func mistake(_ message: String) -> EqualizerRemark {
      EqualizerRemark(line: number, message: message)
    }
    switch words.first {
    case "filter"? where words.dropFirst().prefix(2).contains { $0 == "on" || $0 == "off" }:
      throw mistake("a ':' is missing before 'ON' or 'OFF'")
    case "preamp"? where words.count > 1 && EqualizerNumbers.isNumber(String(words[1])),
      "graphiceq"? where words.count > 2:
      throw mistake("a ':' is missing behind '\(line.prefix { !$0.isWhitespace })'")
    case let word? where word.hasPrefix("biquad"):
      throw mistake("fxrun does not read filters by their coefficients")
    case "[frequencies]"?, "[gains]"?, "[qualities]"?:
      throw mistake(
        "these are Peace's own settings; use the text that Peace writes for Equalizer APO")
    case "compound_filters"?: break
    default: if !isHeading { note("the line is not used: it is no command", number) }
    }
  }

  private mutating func note(_ message: String, _ number: Int) {
    notes.append(EqualizerRemark(line: number, message: message))
  }

  private func refuseExpression(_ text: String, _ number: Int) throws(EqualizerRemark) {
    guard text.contains("`") else { return }
    throw EqualizerRemark(line: number, message: "fxrun does not evaluate expressions in '`'")
  }

  // MARK: Scope

  private mutating func add(_ content: EqualizerRawCommand.Content, _ number: Int) {
    guard isPlayed else { return noteStage(number) }
    if case .filter(let filter) = content, filter.isOn == false || filter.type == "NONE" { return }
    guard noteDevice(number) else { return }
    raws.append(EqualizerRawCommand(line: number, scope: scope, content: content))
  }

  /// True where the commands apply to a sound that is played.
  private var isPlayed: Bool { scope.stages != [.capture] }

  private mutating func noteStage(_ number: Int) {
    note("the line is not used: it is for the stage 'capture' only", number)
  }

  /// Refuses the commands of a second device.
  private mutating func noteDevice(_ number: Int) -> Bool {
    guard let name = scope.device else { return true }
    guard let device else {
      self.device = (number, name)
      return true
    }
    if device.name.lowercased() == name.lowercased() { return true }
    mistakes.append(
      EqualizerRemark(
        line: number,
        message: "the line is for the device '\(name)', line \(device.line) for '\(device.name)'; "
          + "keep the lines of one device"))
    return false
  }

  private mutating func takeChannels(_ text: String, _ number: Int) throws(EqualizerRemark) {
    guard isPlayed else { return noteStage(number) }
    do throws(Failure) {
      scope.channels = try EqualizerChannels(text)
    } catch {
      throw EqualizerRemark(
        line: number,
        message: error.message)
    }
  }

  private mutating func takeStages(_ text: String, _ number: Int) throws(EqualizerRemark) {
    var stages: Set<EqualizerScope.Stage> = []
    for word in text.lowercased().split(whereSeparator: { $0.isWhitespace || $0 == "," }) {
      guard let stage = EqualizerScope.Stage(rawValue: String(word)) else {
        throw EqualizerRemark(line: number, message: "there is no stage '\(word)'")
      }
      stages.insert(stage)
    }
    guard !stages.isEmpty else {
      throw EqualizerRemark(line: number, message: "'Stage' names no stage")
    }
    scope.stages = stages
  }

  private mutating func takeDevice(_ text: String, _ number: Int) throws(EqualizerRemark) {
    guard !text.isEmpty else {
      throw EqualizerRemark(line: number, message: "'Device' names no device")
    }
    let patterns = text.split(separator: ";").map { String($0).trimmed.lowercased() }
    if patterns.contains("all") {
      scope.device = nil
    } else {
      scope.device = text
      note("the device is not looked at: the lines for '\(text)' are used", number)
    }
  }

  // MARK: Values

  /// The level, and the words that follow it.
  private static func level(
    _ text: String, _ number: Int
  ) throws(EqualizerRemark) -> (level: String, unused: String) {
    var words = text.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }
    var level = String(words.popFirst() ?? "")
    if level.lowercased().hasSuffix("db") {
      level.removeLast(2)
    } else if words.first?.lowercased() == "db" {
      words.removeFirst()
    }
    guard EqualizerNumbers.isNumber(level) else {
      throw EqualizerRemark(line: number, message: "'\(text)' is not a level in decibels")
    }
    return (level, words.joined(separator: " "))
  }

  /// The filter `ON IIR Order 2 Coefficients b0 b1 b2 a0 a1 a2`; nil for another one.
  private static func coefficients(
    _ text: String, _ number: Int
  ) throws(EqualizerRemark) -> EqualizerCommand.Action? {
    let words = text.split(whereSeparator: \.isWhitespace).prefix { !$0.hasPrefix("#") }
    guard words.count > 1, words[0].lowercased() == "on", words[1].lowercased() == "iir" else {
      return nil
    }
    let numbers = words.dropFirst(5).compactMap { Double($0) }.filter(\.isFinite)
    guard words.count > 5, words[2].lowercased() == "order", let order = Int(words[3]),
      words[4].lowercased() == "coefficients", order >= 0, order < 1000,
      numbers.count == words.count - 5, numbers.count == 2 * order + 2
    else {
      throw EqualizerRemark(
        line: number,
        message:
          "'\(text)' is no filter by coefficients: ON IIR Order 2 Coefficients and six numbers")
    }
    return .coefficients(
      b: Array(numbers.prefix(order + 1)), a: Array(numbers.suffix(order + 1)))
  }

  private static func points(
    _ text: String, _ number: Int
  ) throws(EqualizerRemark) -> [(frequency: String, level: String)] {
    var points: [(frequency: String, level: String)] = []
    for part in text.split(separator: ";") {
      let words = part.split(whereSeparator: \.isWhitespace).map(String.init)
      if words.isEmpty { continue }
      guard words.count == 2, words.allSatisfy(EqualizerNumbers.isNumber) else {
        throw EqualizerRemark(
          line: number,
          message: "'\(String(part).trimmed)' is not a frequency in hertz and a level in decibels")
      }
      points.append((words[0], words[1]))
    }
    return points
  }

  private static func delay(
    _ text: String, _ number: Int
  ) throws(EqualizerRemark) -> EqualizerRawCommand.Content {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    guard words.count == 2, EqualizerNumbers.isNumber(words[0]),
      ["ms", "samples"].contains(words[1])
    else {
      throw EqualizerRemark(line: number, message: "'\(text)' is not a time in ms or samples")
    }
    return .delay(words[0], isFrames: words[1] == "samples")
  }
}
