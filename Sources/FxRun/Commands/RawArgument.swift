import ArgumentParser
import FxAudio
import FxKit

/// The formats of files without a header.
struct RawInputArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The main input has no header: read its samples as s16le,48000,2 (coding, rate, channels or layout; also offset=bytes). For another input name=format; may be repeated.",
      valueName: "format"))
  var raw: [String] = []

  /// The formats by the names of inputs; a format without a name is for `main`.
  func formats(_ main: String = "main") throws(ChainFailure) -> [String: String] {
    var formats: [String: String] = [:]
    for text in raw {
      let (name, format) = try Self.named(text)
      guard formats.updateValue(format, forKey: name ?? main) == nil else {
        throw ChainFailure(
          .request, code: .usage, "--raw describes '\(name ?? main)' twice; leave one out")
      }
    }
    return formats
  }

  /// Splits `name=format`. A format may contain further equal signs, but not in its first word.
  static func named(_ text: String) throws(ChainFailure) -> (name: String?, format: String) {
    let first = text.prefix { $0 != "," }
    guard first.contains("=") else {
      try RenderRequest.checkRaw(text)
      return (nil, text)
    }
    let (name, format) = try Pair.split(text, option: "--raw")
    try RenderRequest.checkRaw(format)
    return (name, format)
  }
}

/// The format of the files of a command that describes or measures them.
struct RawFileArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The files have no header: read their samples as s16le,48000,2 (coding, rate, channels or layout; also offset=bytes).",
      valueName: "format"))
  var raw: String?
}
