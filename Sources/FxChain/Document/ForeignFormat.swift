import FxAudio

/// The format of another program's configuration, which `fxrun import` turns into a chain.
package enum ForeignFormat: String, Sendable, CaseIterable {
  case camillaDSP = "camilladsp"
  case pipeWire = "pipewire"

  /// The name of the program.
  package var name: String {
    switch self {
    case .camillaDSP: "CamillaDSP"
    case .pipeWire: "PipeWire"
    }
  }

  /// What a message calls a file of this format.
  package var noun: String { "a \(name) configuration" }

  /// The format of a file by its content; nil for another file.
  package init?(recognizing bytes: some Collection<UInt8>) {
    // A chain is read often, and begins so.
    guard bytes.first(where: { $0 > UInt8(ascii: " ") }) != UInt8(ascii: "{") else { return nil }
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
    return nil
  }

  /// The key of a line of YAML that is not indented.
  private static func topKey(_ line: Substring) -> String? {
    guard let end = line.firstIndex(of: ":"), line.first?.isLetter == true else { return nil }
    return String(line[..<end])
  }
}
