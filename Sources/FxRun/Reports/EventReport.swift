import FxAudio
import FxChain
import FxKit

/// Reports nodes that fail or change their latency during playback.
enum EventReport {
  /// Prints one line for each event.
  static func report(_ event: RenderingEvent) {
    Output.error("warning: \(ForeignText.visible("\(event)"))")
  }

  /// Prints one line for an event of the sound device.
  static func report(_ notice: DeviceNotice) {
    let words = ForeignText.visible("\(notice)")
    switch notice.kind {
    case .differs: Output.error("note: the sound device \(words)")
    case .recovered, .waiting, .buffering, .station, .title, .resumed, .refilled:
      Output.error("note: \(words)")
    default: Output.error(words)
    }
  }

  /// The event as an object on its own line, with its kind as the name.
  static func line(_ event: RenderingEvent) -> JSONOutput {
    named(event.kind.rawValue, json(event))
  }

  static func line(_ notice: DeviceNotice) -> JSONOutput {
    named(notice.kind.rawValue, json(notice))
  }

  static func line(_ change: ChainChange) -> JSONOutput {
    switch change {
    case .loaded(let path, let summary):
      .members([
        "event": .string("loaded"), "path": .string(path), "message": .string(summary),
      ])
    case .refused(let path, let failure):
      .members([
        "event": .string("refused"), "path": .string(path), "message": .string(failure.message),
      ])
    }
  }

  private static func named(_ name: String, _ object: JSONOutput) -> JSONOutput {
    guard case .object(let members) = object else { return object }
    return .object(
      [JSONOutput.Member("event", .string(name))] + members.filter { $0.key != "kind" })
  }

  static func json(_ notice: DeviceNotice) -> JSONOutput {
    .members([
      "kind": .string(notice.kind.rawValue), "count": .integer(notice.count),
      "title": notice.title.map { .string($0) },
      "seconds": notice.seconds.map { .number($0) },
      "frames": notice.frames.map { .integer($0) },
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
