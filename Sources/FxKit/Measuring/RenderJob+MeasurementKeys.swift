import FxAudio
import FxChain
import FxEngine
import FxMedia

extension RenderJob {
  /// Rises when an analyzer gives other values, so that older ones are measured again.
  private static var valuesVersion: Int { 3 }

  /// By node, a digest of everything that its measurement depends on: the chain with its values and
  /// files, its plugins, the inputs and the request. Empty if that cannot be known in advance: for
  /// a pipe, a sound in memory, a replay, or a request that changes the graph.
  func keys(of nodes: Set<Int>) -> [Int: String] {
    guard request.memory == nil, request.change == nil, request.replay == nil,
      let inputs = inputDigests
    else { return [:] }
    var lines = [
      "fxrun \(Release.version)", "values \(Self.valuesVersion)",
      "\(compiled.sampleRate) \(compiled.blockSize)",
    ]
    lines.append("\(compiled.built.seed)")
    lines.append("\(request.start) \(request.duration ?? -1) \(request.tail ?? -1)")
    lines.append("loop \(request.loop.map { "\($0)" } ?? "none")")
    for fact in GraphFact.facts(of: compiled) {
      lines.append(fact.name)
      lines += fact.values.map { "  \($0.key) \($0.value)" }
    }
    for node in compiled.resolved.graph.nodes {
      guard let unit = UnitIdentity(node) else { continue }
      lines.append(
        "\(unit.unit) \(unit.version) \(unit.binary ?? "") \(unit.state ?? "")")
    }
    let common = (lines + inputs).joined(separator: "\n")
    return nodes.reduce(into: [:]) { keys, node in
      guard let what = measuringNodes[node] else { return }
      let id = compiled.resolved.graph.nodes[node].id
      keys[node] = SHA256.digest(of: "\(common)\n\(what) of \(id)")
    }
  }

  /// A line for each source; nil if a source cannot be read in advance.
  private var inputDigests: [String]? {
    var lines: [String] = []
    for port in compiled.plan.sources {
      guard let endpoint = compiled.endpoint(ofSource: port) else { return nil }
      if endpoint.nature == .generated { continue }
      let paths = sources.paths(of: [endpoint])
      guard !paths.isEmpty || endpoint.nature == .schedule else { return nil }
      for path in paths {
        guard path != "-", isRegularFile(path), let digest = SHA256.digest(ofFile: path) else {
          return nil
        }
        let raw = sources.raw(of: endpoint).map { " \($0.text)" } ?? ""
        lines.append("\(compiled.resolved.graph.nodes[port.node].id) \(digest)\(raw)")
      }
    }
    return lines
  }
}
