import FxGraph

extension Chain {
  /// The files that it is made of: its own, those that it uses, its sounds, and those that its plugins
  /// are made with. In the order of their names; some may not be there.
  package func files() throws(ChainFailure) -> [String] {
    let noted = ChainFiles()
    var settings = CompiledChain.Settings.check()
    settings.environment.note(into: noted.texts)
    let outline = try CompiledChain(
      outlineOf: self, catalog: UnitLibrary.shared, settings: settings)
    outline.note(into: noted.parts)
    let sounds = outline.resolved.graph.nodes.flatMap { node in
      if case .source(let endpoint) = node.content { endpoint.paths } else { [String]() }
    }
    return Set([path] + noted.texts.paths + noted.parts.paths + sounds).sorted()
  }
}
