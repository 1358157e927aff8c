import ArgumentParser
import FxAudio
import FxKit

/// Edits of the input and of the written sound: repeats, channels, silence, loudness, fades, splits.
struct EditingArguments: ParsableArguments {
  @Option(of: "start") var start: GivenOption?
  @Option(of: "duration") var duration: GivenOption?
  @Option(of: "repeat") var `repeat`: GivenOption?
  @Flag(of: "reverse") var reverse
  @Option(of: "channels") var channels: GivenOption?
  @Flag(of: "mono") var mono
  @Option(of: "cutSilence") var cutSilence: GivenOption?
  @Option(of: "loudness") var loudness: GivenOption?
  @Option(of: "fadeIn") var fadeIn: GivenOption?
  @Option(of: "fadeOut") var fadeOut: GivenOption?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Silence before and after the sound of -o: one time for both, or two.",
      valueName: "time[,time]"))
  var pad: String?

  @Option(of: "split") var split: GivenOption?
  @Option(of: "silenceLevel") var silenceLevel: GivenOption?
  @Option(of: "silenceTime") var silenceTime: GivenOption?
  @Option(of: "silenceKeep") var silenceKeep: GivenOption?
  @Option(of: "silenceFade") var silenceFade: GivenOption?

  /// The given values, by key.
  func values() throws(ChainFailure) -> [String: OptionValue] {
    var values = try [
      start, duration, self.repeat, channels, cutSilence, loudness, fadeIn, fadeOut, split,
      silenceLevel, silenceTime, silenceKeep, silenceFade,
    ].values()
    if reverse { values["reverse"] = .flag(true) }
    if mono { values["mono"] = .flag(true) }
    if values.number("duration") == 0 { throw .usage("--duration must be above 0") }
    if let pad {
      let times = pad.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard (1...2).contains(times.count), times.allSatisfy({ ClockText.seconds($0) != nil }) else {
        throw .usage("--pad takes one time or two, such as 1 or 0.5,2, not '\(pad)'")
      }
      values.merge(try RequestOption["padStart"].read(times[0])) { $1 }
      values.merge(try RequestOption["padEnd"].read(times[times.count - 1])) { $1 }
    }
    return values
  }

  /// Refuses options about the main input if it has no file, and options about silence where none
  /// is looked for.
  static func check(
    _ values: [String: OptionValue], hasInput: Bool
  ) throws(ChainFailure) {
    if !hasInput,
      let key = ["repeat", "reverse", "channels", "mono", "cutSilence"].first(where: {
        values[$0] != nil
      })
    {
      let name = RequestOption[key].name
      throw .usage("--\(name) is about the main input, and no file is given for it")
    }
    let silence = ["silenceLevel", "silenceTime", "silenceKeep", "silenceFade"]
    if values["cutSilence"] == nil, SplitRule(values) != .silence,
      let key = silence.first(where: { values[$0] != nil })
    {
      throw .usage("--\(RequestOption[key].name) goes with --split silence and --cut-silence")
    }
  }
}
