import FxAudio

/// The format of another program's configuration, which `fxrun import` turns into a chain.
package enum ForeignFormat: String, Sendable, CaseIterable {
  case audacity
  case bruteFIR = "brutefir"
  case camillaDSP = "camilladsp"
  case equalizerAPO = "apo"
  case easyEffects = "easyeffects"
  case ecasound
  case ffmpeg
  case jconvolver
  case modUI = "mod-ui"
  case piPedal = "pipedal"
  case pipeWire = "pipewire"
  case sox

  /// The name of the program.
  package var name: String {
    switch self {
    case .audacity: "Audacity"
    case .bruteFIR: "BruteFIR"
    case .camillaDSP: "CamillaDSP"
    case .equalizerAPO: "Equalizer APO"
    case .easyEffects: "EasyEffects"
    case .ecasound: "ecasound"
    case .ffmpeg: "ffmpeg"
    case .jconvolver: "jconvolver"
    case .modUI: "mod-ui"
    case .piPedal: "PiPedal"
    case .pipeWire: "PipeWire"
    case .sox: "sox"
    }
  }

  /// What a message calls a file of this format.
  package var noun: String {
    [.audacity, .easyEffects, .ecasound, .equalizerAPO].contains(self)
      ? "an \(name) configuration" : "a \(name) configuration"
  }

  /// The format of a file by its content; nil for another file. Effects of sox and ffmpeg stand in no file.
  package init?(recognizing bytes: some Collection<UInt8>) {
    // A chain is read often, and begins so; it has a version.
    guard bytes.first(where: { $0 > UInt8(ascii: " ") }) != UInt8(ascii: "{") else {
      let start = bytes.prefix(1 << 20)
      guard !start.contains("\"version\"".utf8) else { return nil }
      if start.contains("\"plugins_order\"".utf8) {
        self = .easyEffects
      } else if start.contains("\"controlValues\"".utf8) {
        self = .piPedal
      } else {
        return nil
      }
      return
    }
    let start = String(decoding: bytes.prefix(1 << 18), as: UTF8.self)
    let lines = start.split(whereSeparator: \.isNewline)
    if start.contains("filter.graph") {
      self = .pipeWire
      return
    }
    let keys = Set(lines.compactMap(Self.topKey))
    if keys.contains("pipeline") && (keys.contains("filters") || keys.contains("devices"))
      || keys.isSuperset(of: ["devices", "filters"]) || keys.isSuperset(of: ["devices", "mixers"])
    {
      self = .camillaDSP
      return
    }
    if lines.contains(where: { $0.hasPrefix("/convolver/new") }) {
      self = .jconvolver
      return
    }
    // The manifest beside a pedalboard names its text.
    if start.contains("modpedal#"), start.contains("ingen#"), !start.contains("seeAlso") {
      self = .modUI
      return
    }
    if start.contains("from_inputs:") || start.contains("from_filters:") {
      self = .bruteFIR
      return
    }
    if Self.isChainSetup(lines) {
      self = .ecasound
      return
    }
    if lines.contains(where: Self.isMacro) {
      self = .audacity
      return
    }
    guard lines.contains(where: Self.isCommand) else { return nil }
    self = .equalizerAPO
  }

  /// True for a chain setup of ecasound: every line begins with an option, and one of them names an input, an output, a
  /// chain or an operator.
  private static func isChainSetup(_ lines: [Substring]) -> Bool {
    let texts = lines.map { $0.drop(while: \.isWhitespace) }.filter {
      !$0.isEmpty && !$0.hasPrefix("#")
    }
    let areOptions = texts.allSatisfy {
      $0.hasPrefix("-") && $0.dropFirst().first?.isLetter == true
    }
    let words = texts.flatMap { $0.split(whereSeparator: \.isWhitespace) }
    return areOptions
      && words.contains { word in
        let name = word.dropFirst().prefix { $0.isLetter || $0.isNumber }
        guard word.hasPrefix("-"), word.dropFirst(name.count + 1).first == ":" else { return false }
        return ["a", "i", "o"].contains(name) || name.hasPrefix("e") && name.count > 1
          || name.hasPrefix("ch")
      }
  }

  /// True for a command of a macro with values in quotation marks: `Echo:Delay="1"`.
  private static func isMacro(_ line: Substring) -> Bool {
    guard let end = line.firstIndex(of: ":") else { return false }
    let isName = line[..<end].allSatisfy { $0.isLetter || $0 == "-" }
    return isName && line[end...].contains("=\"") && line.hasSuffix("\"")
  }

  /// True for a line that only a configuration of Equalizer APO has: `Preamp: -6 dB`, `Filter 1: ON PK …`, `Copy: L=R`.
  private static func isCommand(_ line: Substring) -> Bool {
    guard let end = line.firstIndex(of: ":") else { return false }
    let rest = line[line.index(after: end)...].lowercased().split(separator: " ")
    let key = line[..<end].lowercased().filter { !$0.isWhitespace }
    switch key {
    case "preamp", "graphiceq":
      return rest.first?.last?.isNumber == true || rest.dropFirst().first == "db"
    case "delay": return rest.count == 2 && ["ms", "samples"].contains(rest[1])
    case "copy": return rest.first?.contains("=") == true
    case "convolution", "include": return !rest.isEmpty
    default:
      return key.hasPrefix("filter") && key.dropFirst(6).allSatisfy(\.isNumber)
        && (rest.first == "on" || rest.first == "off")
    }
  }

  /// The key of a line of YAML that is not indented.
  private static func topKey(_ line: Substring) -> String? {
    guard let end = line.firstIndex(of: ":"), line.first?.isLetter == true else { return nil }
    return String(line[..<end])
  }
}
