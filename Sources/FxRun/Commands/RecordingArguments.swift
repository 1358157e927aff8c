import ArgumentParser
import FxKit

/// The arguments of `run` for recordings that start and stop.
struct RecordingArguments: ParsableArguments {
  enum Start: String, ExpressibleByArgument, CaseIterable {
    case level, manual
  }

  @Option(
    help: ArgumentHelp(
      "Write -o while the sound is loud (level), or between start and stop of 'fxrun control … record' (manual).",
      valueName: "level|manual"))
  var record: Start?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --record level: start when a sample is this loud (default -40).", valueName: "dB"))
  var startLevel: DecibelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "With --record level: stop when the sound has stayed below this (default: 10 dB below the start).",
      valueName: "dB"))
  var stopLevel: DecibelArgument?

  @Option(
    help: ArgumentHelp(
      "With --record level: how long the sound has to stay below the stop level (default 2 s).",
      valueName: "time"))
  var stopTime: TimeArgument?

  @Option(
    help: ArgumentHelp(
      "With --record: write this much sound from before a start as well, up to 600 s.",
      valueName: "time"))
  var preRoll: TimeArgument?

  func apply(to request: inout RenderRequest) throws(ChainFailure) {
    let levels = [
      ("--start-level", startLevel != nil), ("--stop-level", stopLevel != nil),
      ("--stop-time", stopTime != nil),
    ]
    if record != .level, let given = levels.first(where: \.1) {
      throw ChainFailure(.request, code: "usage", "\(given.0) goes with --record level")
    }
    guard let record else {
      guard preRoll == nil else {
        throw ChainFailure(
          .request, code: "usage", "--pre-roll goes with --record level or --record manual")
      }
      return
    }
    var recording = RenderRequest.Recording(record == .level ? .level : .manual)
    recording.startLevel = startLevel?.decibels
    recording.stopLevel = stopLevel?.decibels
    recording.stopTime = stopTime?.seconds
    recording.preRoll = preRoll?.seconds ?? 0
    request.recording = recording
  }
}
