import FxAudio
import FxEngine

extension Chain {
  /// All files of the chain: its own, included chains, sounds, and files of its plugins. Sorted by
  /// name; some may not exist.
  package func files() throws(ChainFailure) -> [String] { try outlined(channels: 2).files }

  /// What its renders depend on besides their inputs: files as above, and units in the order of the
  /// nodes; nil for a chain with mistakes.
  package var dependencies: (files: [String], units: [UnitIdentity])? {
    for channels in [2, 1, 6, 8] {
      guard let (outline, files) = try? outlined(channels: channels) else { continue }
      return (files, outline.resolved.graph.nodes.compactMap { UnitIdentity($0) })
    }
    return nil
  }

  private func outlined(
    channels: Int
  ) throws(ChainFailure) -> (outline: CompiledChain, files: [String]) {
    let noted = ChainFiles()
    var settings = CompiledChain.Settings.check(channels: channels)
    settings.environment.note(into: noted.texts)
    let outline = try outline(settings)
    outline.note(into: noted.parts)
    let sounds = outline.resolved.graph.nodes.flatMap { node in
      if case .source(let endpoint) = node.content { endpoint.paths } else { [String]() }
    }
    return (outline, Set([path] + noted.texts.paths + noted.parts.paths + sounds).sorted())
  }
}
