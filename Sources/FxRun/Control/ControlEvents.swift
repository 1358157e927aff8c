import FxChain
import FxKit

/// Sends events to the clients that watch them.
extension ControlServer {
  func report(_ event: RenderingEvent) { send(named(event.kind.rawValue, EventReport.json(event))) }

  func report(_ notice: DeviceNotice) {
    send(named(notice.kind.rawValue, EventReport.json(notice)))
  }

  func report(_ event: RegionEvent) { send(PlayerReport.json(event)) }

  func report(_ change: ChainChange) {
    switch change {
    case .loaded(let path, let summary):
      send(
        .members([
          "event": .string("loaded"), "path": .string(path), "message": .string(summary),
        ]))
    case .refused(let path, let failure):
      send(
        .members([
          "event": .string("refused"), "path": .string(path), "message": .string(failure.message),
        ]))
    }
  }

  private func named(_ name: String, _ object: JSONOutput) -> JSONOutput {
    guard case .object(let members) = object else { return object }
    return .object(
      [JSONOutput.Member("event", .string(name))] + members.filter { $0.key != "kind" })
  }
}
