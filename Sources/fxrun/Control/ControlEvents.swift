import FxDiagnostics
import FxKit

/// What happens, as those hear it who watch.
extension ControlServer {
  func tell(_ event: RenderingEvent) { tell(named(event.kind.rawValue, EventReport.json(event))) }

  func tell(_ notice: DeviceNotice) {
    tell(named(notice.kind.rawValue, EventReport.json(notice)))
  }

  func tell(_ change: ChainChange) {
    switch change {
    case .loaded(let path, let summary):
      tell(
        .members([
          "event": .string("loaded"), "path": .string(path), "message": .string(summary),
        ]))
    case .refused(let path, let failure):
      tell(
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
