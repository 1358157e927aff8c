import FxChain
import FxKit

/// What is said of a node that fails or changes its latency while it plays.
enum EventReport {
  /// One line, as it happens.
  static func tell(_ event: RenderingEvent) { Output.error("warning: \(event)") }

  /// The same of the sound device.
  static func tell(_ notice: DeviceNotice) {
    Output.error(notice.kind == .differs ? "note: the sound device \(notice)" : "\(notice)")
  }

  static func json(_ notice: DeviceNotice) -> JSONOutput {
    .members([
      "kind": .string(notice.kind.rawValue), "count": .integer(notice.count),
      "message": .string(notice.description),
    ])
  }

  static func json(_ event: RenderingEvent) -> JSONOutput {
    .members([
      "kind": .string(event.kind.rawValue),
      "node": .string(event.node),
      "plugin": event.plugin.map { .string($0) },
      "frame": .integer(event.frame),
      "seconds": .number(event.seconds),
      "latencyFrames": event.latencyFrames.map { .integer($0) },
      "outcome": event.outcome.map { .string($0.rawValue) },
      "message": .string(event.description),
    ])
  }
}
