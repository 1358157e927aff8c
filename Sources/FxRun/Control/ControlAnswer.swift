import FxAudio
import FxChain
import FxKit

/// The result of a request, as an object on one line.
enum ControlAnswer {
  static func line(_ outcome: LiveControl.Outcome, id: JSONOutput?) -> [UInt8] {
    switch outcome {
    case .success(let answer): line(json(answer), id: id)
    case .failure(let failure): line(json(failure), id: id)
    }
  }

  static func line(_ object: JSONOutput, id: JSONOutput? = nil) -> [UInt8] {
    var object = object
    if let id, case .object(let members) = object {
      object = .object([JSONOutput.Member("id", id)] + members)
    }
    return Array("\(object.text(indented: false))\n".utf8)
  }

  static let done = JSONOutput.members(["ok": .bool(true)])

  static func json(_ answer: LiveAnswer) -> JSONOutput {
    switch answer {
    case .done: done
    case .value(let value): .members(["value": .level(value)])
    case .gain(let value): .members(["value": .level(value), "decibels": .level(gainLevel(value))])
    case .snapshot(let snapshot): .members(["meters": SnapshotReport.json(snapshot)])
    case .switched(let isOn): .members(["on": .bool(isOn)])
    case .parameters(let list, let readings):
      .members([
        "parameters": .array(list.map(json)),
        "readings": readings.isEmpty ? nil : .array(readings.map(ReadingReport.json)),
      ])
    case .reading(let reading): ReadingReport.json(reading)
    case .property(let property): json(property)
    case .status(let status): .members(["status": json(status)])
    case .transport(let transport): .members(["transport": json(transport)])
    case .queued(let placed): .members(["queued": PlayerReport.json(placed)])
    case .players(let players): .members(["players": .array(players.map(PlayerReport.json))])
    case .learned(let mapping): .members(["learned": .string(mapping)])
    case .loaded(let summary): .members(["loaded": .string(summary)])
    }
  }

  private static func json(_ property: LiveProperty) -> JSONOutput {
    let value: JSONOutput =
      switch property.value {
      case .number(let number): .level(number)
      case .flag(let flag): .bool(flag)
      case .text(let text): .string(text)
      }
    return .members([
      "name": .string(property.name), "summary": .string(property.summary),
      "unit": property.unit.isEmpty ? nil : .string(property.unit), "value": value,
    ])
  }

  /// Rounded to a hundredth of a decibel.
  private static func gainLevel(_ gain: Double) -> Double {
    (Math.decibels(amplitude: gain) * 100).rounded() / 100
  }

  /// Uses the same kinds and codes as `--json`.
  static func json(_ failure: ChainFailure) -> JSONOutput {
    .members([
      "error": .members([
        "kind": .string(failure.kind.rawValue), "code": .string(failure.code),
        "message": .string(failure.message), "hints": .array(failure.hints.map { .string($0) }),
        "path": failure.path.map { .string($0) },
      ])
    ])
  }

  static func json(_ change: LiveChange) -> JSONOutput {
    .members([
      "event": .string("changed"), "parameter": .string(change.parameter),
      "value": .level(change.value), "seconds": change.seconds.map { .number($0) },
      "frame": .integer(change.frame),
    ])
  }

  private static func json(_ parameter: LiveParameter) -> JSONOutput {
    .members([
      "name": .string(parameter.name), "target": parameter.target.map { .string($0) },
      "kind": .string(parameter.kind.rawValue), "unit": .string(parameter.unit),
      "minimum": .level(parameter.minimum), "maximum": .level(parameter.maximum),
      "default": .level(parameter.defaultValue), "value": .level(parameter.value),
      "geometric": parameter.isGeometric ? .bool(true) : nil,
      "choices": parameter.choices.isEmpty
        ? nil
        : .array(
          parameter.choices.map {
            .members(["label": .string($0.label), "value": .level($0.value)])
          }),
      "summary": .string(parameter.summary),
    ])
  }

  private static func json(_ transport: LiveTransport) -> JSONOutput {
    .members([
      "seconds": transport.seconds.map { .number($0) },
      "frame": transport.frame.map { .integer($0) },
      "totalSeconds": transport.totalSeconds.map { .number($0) },
      "paused": .bool(transport.isPaused),
      "loopFrom": transport.loopStart.map { .number($0) },
      "loopTo": transport.loopEnd.map { .number($0) },
      "volume": .level(transport.volume), "muted": .bool(transport.isMuted),
      "resting": .bool(transport.isResting), "side": transport.side.map { .string($0.rawValue) },
      "tempo": transport.tempo.map { .number(($0 * 1000).rounded() / 1000) },
      "metre": transport.metre.map { .string($0) },
      "bar": transport.bar.map { .integer($0) },
      "beat": transport.beat.map { .number(($0 * 1000).rounded(.down) / 1000) },
      "rolling": transport.isRolling.map { .bool($0) },
    ])
  }

  private static func json(_ status: LiveStatus) -> JSONOutput {
    .members([
      "chain": .string(status.path), "name": status.name.map { .string($0) },
      "device": .string(status.device),
      "captureDevice": status.captureDevice.map { .string($0) },
      "sampleRate": .number(status.sampleRate), "blockFrames": .integer(status.blockFrames),
      "periodFrames": .integer(status.periodFrames),
      "bufferFrames": .integer(status.bufferFrames), "frames": .integer(status.frames),
      "seconds": .number((status.seconds * 1000).rounded() / 1000),
      "latencyFrames": .integer(status.latencyFrames),
      "bypassed": .array(status.bypassed.map { .string($0) }),
      "muted": .array(status.muted.map { .string($0) }),
      "soloed": .array(status.soloed.map { .string($0) }),
      "players": status.players.isEmpty
        ? nil : .array(status.players.map(PlayerReport.json)),
    ])
  }
}
