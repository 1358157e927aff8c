import FxAudio
import FxEngine
import FxMedia
import FxPlaying

extension RenderJob {
  /// The players of the last pass, with their nodes.
  var players: [PlayerControl.Player] {
    var nodes: [SourceEndpoint: [String]] = [:]
    var endpoints: [SourceEndpoint] = []
    for port in compiled.plan.sources {
      guard let endpoint = compiled.endpoint(ofSource: port), endpoint.nature == .schedule else {
        continue
      }
      if nodes[endpoint] == nil { endpoints.append(endpoint) }
      nodes[endpoint, default: []].append(compiled.resolved.graph.nodes[port.node].id)
    }
    return endpoints.flatMap { endpoint in
      let names = nodes[endpoint] ?? []
      // The measuring pass has opened them too: take only the last ones.
      return zip(names, sources.boards(of: endpoint).suffix(names.count)).map {
        PlayerControl.Player(node: $0, board: $1)
      }
    }
  }

  /// The regions that were played in a render of `frameCount` frames, sorted by their start.
  func playedRegions(frameCount: Int) -> [PlayedRegion] {
    let start = startFrame
    return players.flatMap { player in
      player.board.schedule.regions.filter {
        $0.frameCount != 0 && $0.begin < start + frameCount && $0.end > start
      }.map { PlayedRegion($0, player) }
    }.sorted { ($0.frame, $0.player) < ($1.frame, $1.player) }
  }
}
