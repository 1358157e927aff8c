import ArgumentParser
import FxKit

/// Edits of the input and of the written sound: repeats, channels, silence, loudness, fades, splits.
struct EditingArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Play the part of the input that --start and --duration choose this many times.",
      valueName: "times"))
  var `repeat`: Int?

  @Flag(help: "Play that part from its end to its beginning.")
  var reverse = false

  @Option(
    help: ArgumentHelp(
      "Take these channels of the input, from 1, in this order: 2 or 2,1.", valueName: "list"))
  var channels: String?

  @Option(
    help: ArgumentHelp(
      "Remove silence from the input: at the start, the end or both ends, inside, or all.",
      valueName: "where"))
  var cutSilence: SilencePlace?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Bring the main output to this loudness, -16 for podcasts; the sound is measured first.",
      valueName: "LUFS"))
  var loudness: Double?

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
      "A sound is silent while no sample is above this level (default -50).", valueName: "dB"))
  var silenceLevel: DecibelArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How long a pause between two sounds has to be to count as silence (default 0.5).",
      valueName: "time"))
  var silenceTime: TimeArgument?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How much of a silence is kept, half on either side.", valueName: "time"))
  var silenceKeep: TimeArgument?

  func apply(to request: inout RenderRequest) throws(ChainFailure) {
    try applyInput(to: &request)
    request.loudness = loudness
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
    if request.split != .silence, cutSilence == nil, let given = options.first(where: { !$0.1 }) {
      throw Self.usage("\(given.0) goes with --split silence and --cut-silence")
    }
    request.silence.level = silenceLevel?.decibels ?? request.silence.level
    request.silence.time = silenceTime?.seconds ?? request.silence.time
    request.silence.keep = silenceKeep?.seconds
  }

  private func applyInput(to request: inout RenderRequest) throws(ChainFailure) {
    request.mainInput.playCount = self.repeat ?? 1
    request.mainInput.isReversed = reverse
    request.mainInput.cutsSilence = cutSilence?.place
    if let channels {
      request.mainInput.channels = try channels.split(
        separator: ",", omittingEmptySubsequences: false
      ).map { (word) throws(ChainFailure) in
        guard let channel = Int(word), channel > 0 else {
          throw Self.usage("--channels takes numbers from 1, such as 2 or 2,1, not '\(channels)'")
        }
        return channel
      }
    }
    let given = [
      ("--repeat", self.repeat != nil), ("--reverse", reverse), ("--channels", channels != nil),
      ("--cut-silence", cutSilence != nil),
    ].first { $0.1 }
    if let given, request.inputs["main"] == nil {
      throw Self.usage("\(given.0) is about the main input, and no file is given for it")
    }
  }

  private static func usage(_ message: String) -> ChainFailure {
    ChainFailure(.request, code: "usage", message)
  }
}

/// The places where silence is removed.
struct SilencePlace: ExpressibleByArgument {
  let place: RenderRequest.MainInput.SilenceCut

  init?(argument: String) {
    guard let place = RenderRequest.MainInput.SilenceCut(rawValue: argument) else { return nil }
    self.place = place
  }

  static var allValueStrings: [String] {
    RenderRequest.MainInput.SilenceCut.allCases.map(\.rawValue)
  }
}
