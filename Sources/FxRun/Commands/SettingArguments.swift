import ArgumentParser
import FxKit

/// The initial parameter values and the initial scene of a render.
struct SettingArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Set a parameter before the start, as the chain would write it; may be repeated.",
      valueName: "node.parameter=value"), completion: .words(.values))
  var set: [String] = []

  @Option(
    help: ArgumentHelp(
      "Begin with this scene of the chain, in place of its own 'scene'.", valueName: "name"),
    completion: .words(.scenes))
  var scene: String?

  /// - Throws: `ChainFailure` of kind `request` for a text that is not `name=value`.
  func settings() throws(ChainFailure) -> [RenderRequest.Setting] { try Self.settings(set) }

  static func settings(_ set: [String]) throws(ChainFailure) -> [RenderRequest.Setting] {
    var settings: [RenderRequest.Setting] = []
    for text in set {
      let (parameter, value) = try Pair.split(text, option: "--set")
      settings.append(RenderRequest.Setting(parameter, value))
    }
    return settings
  }
}
