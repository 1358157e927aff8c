import ArgumentParser
import FxKit

/// What is done to the ends of the sound that is written, and whether it is divided.
struct EditingArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fade the beginning of -o in over this time.", valueName: "time"))
  var fadeIn: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Fade the end of -o out over this time.", valueName: "time"))
  var fadeOut: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Silence before and after the sound of -o: one time for both, or two.",
      valueName: "time[,time]"))
  var pad: String?

  @Option(
    help: ArgumentHelp(
      "Write -o as several files, named by {n} and {title}: at silence or chapters, every 10min, at most 100MB, or at 1:30,4:05.",
      valueName: "rule"))
  var split: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Silent is where no sample lies above this level (default -50).", valueName: "dB"))
  var silenceLevel: DecibelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long silence between two sounds lasts at least (default 0.5).", valueName: "time"))
  var silenceTime: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much of a silence stays, half on either side.", valueName: "time"))
  var silenceKeep: TimeArgument?

  func apply(to request: inout RenderRequest) throws(ChainFailure) {
    request.ends.fadeIn = fadeIn?.seconds ?? 0
    request.ends.fadeOut = fadeOut?.seconds ?? 0
    if let pad {
      let times = pad.split(separator: ",", omittingEmptySubsequences: false).map {
        TimeArgument(argument: String($0))?.seconds
      }
      guard (1...2).contains(times.count), let start = times[0], let end = times[times.count - 1]
      else { throw Self.usage("--pad takes one time or two, such as 1 or 0.5,2, not '\(pad)'") }
      (request.ends.padStart, request.ends.padEnd) = (start, end)
    }
    if let split {
      guard let rule = RenderRequest.Split(split) else {
        throw Self.usage("--split takes \(RenderRequest.Split.forms), not '\(split)'")
      }
      request.split = rule
    }
    try applySilence(to: &request)
  }

  private func applySilence(to request: inout RenderRequest) throws(ChainFailure) {
    let options = [
      ("--silence-level", silenceLevel == nil), ("--silence-time", silenceTime == nil),
      ("--silence-keep", silenceKeep == nil),
    ]
    if request.split != .silence, let given = options.first(where: { !$0.1 }) {
      throw Self.usage("\(given.0) goes with --split silence")
    }
    request.silence.level = silenceLevel?.decibels ?? request.silence.level
    request.silence.time = silenceTime?.seconds ?? request.silence.time
    request.silence.keep = silenceKeep?.seconds
  }

  private static func usage(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: "usage", message)
  }
}
