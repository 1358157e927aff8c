import FxAudio

/// The format of another program's configuration, which `fxrun import` turns into a chain.
package enum ForeignFormat: String, Sendable, CaseIterable {
  case audacity
  case camillaDSP = "camilladsp"
  case equalizerAPO = "apo"
  case easyEffects = "easyeffects"
  case ffmpeg
  case jconvolver
  case piPedal = "pipedal"
  case pipeWire = "pipewire"
  case sox

  /// The name of the program.
  package var name: String {
    switch self {
    case .audacity: "Audacity"
    case .camillaDSP: "CamillaDSP"
    case .equalizerAPO: "Equalizer APO"
    case .easyEffects: "EasyEffects"
    case .ffmpeg: "ffmpeg"
    case .jconvolver: "jconvolver"
    case .piPedal: "PiPedal"
    case .pipeWire: "PipeWire"
    case .sox: "sox"
    }
  }

  /// What a message calls a file of this format.
  package var noun: String {
    self == .equalizerAPO || self == .audacity
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
    if lines.contains(where: Self.isMacro) {
      self = .audacity
      return
    }
    guard lines.contains(where: Self.isCommand) else { return nil }
    self = .equalizerAPO
  }

  /// True for a command of a macro with values in quotation marks: `Echo:Delay="1"`.
  private static func isMacro(_ line: Substring) -> Bool {
    guard let end = line.firstIndex(of: ":") else { return false }
    let isName = line[..<end].allSatisfy { $0.isLetter || $0 == "-" }
    return isName && line[end...].contains("=\"") && line.hasSuffix("\"")
  }

  /// True for a line that begins with a command of Equalizer APO.
  private static func isCommand(_ line: Substring) -> Bool {
    guard let end = line.firstIndex(of: ":") else { return false }
    let words = line[..<end].lowercased().split(separator: " ")
    let commands = [
      "preamp", "graphiceq", "device", "channel", "stage", "copy", "include", "convolution",
    ]
    guard let word = words.first, words.count <= 2 else { return false }
    return words.count == 1 && commands.contains(String(word))
      || word.hasPrefix("filter")
        && (words.dropFirst() + [word.dropFirst(6)]).allSatisfy { part in
          part.allSatisfy(\.isNumber)
        }
  }

  /// The key of a line of YAML that is not indented.
  private static func topKey(_ line: Substring) -> String? {
    guard let end = line.firstIndex(of: ":"), line.first?.isLetter == true else { return nil }
    return String(line[..<end])
  }
}
