import FxAudio
import FxChain
import FxEngine
import FxLV2

/// Saves the initial state of an LV2 plugin.
extension Chain {
  /// Writes the state of a node, with its preset, state, parameters and properties, into a folder.
  /// A chain can name it as `"state"`, and other hosts read it as a preset.
  ///
  /// The folder holds copies of the files that the plugin needs, so that it can be moved.
  ///
  /// - Parameters:
  ///   - label: the preset's name; by default the folder's name without `.lv2`.
  ///   - replaces: whether an existing folder may be replaced.
  ///   - sampleRate: the sample rate in Hz, unless the chain has its own.
  /// - Returns: remarks about the saved state, a sentence each.
  package func saveState(
    ofNode id: String, to folder: String, label: String? = nil, replaces: Bool = false,
    sampleRate: Double = 48000, channels: Int = 2
  ) throws(ChainFailure) -> [String] {
    let compiled = try planned(sampleRate: sampleRate, channels: channels)
    let nodes = compiled.built.graph.nodes
    guard let index = compiled.built.node(id: id) else {
      let hint = Suggestion.nearest(to: id, in: nodes.map(\.id)).map { ", did you mean '\($0)'?" }
      throw ChainFailure(
        .request, code: .unknownNode, "the chain has no node '\(id)'\(hint ?? "")")
    }
    guard let (uri, preparation) = compiled.plugin(ofNode: index) else {
      throw ChainFailure(
        .request, code: .notAPlugin, "'\(id)' is no LV2 plugin, and so has no state to save")
    }
    do throws(Failure) {
      return try UnitLibrary.shared.plugins.save(
        plugin: uri, preparation, to: folder, label: label ?? Self.label(of: folder),
        replaces: replaces)
    } catch {
      throw error.code == .unreadable
        ? ChainFailure(.output, code: .unwritable, error.message, path: folder)
        : ChainFailure(.plugin, codeText: error.code.rawValue, error.message)
    }
  }

  private static func label(of folder: String) -> String {
    let name = folder.split(separator: "/").last.map(String.init) ?? folder
    return name.hasSuffix(".lv2") && name.count > 4 ? String(name.dropLast(4)) : name
  }
}
