import ArgumentParser
import FxAudio
import FxKit

/// The arguments of `run` for recordings that start and stop.
struct RecordingArguments: ParsableArguments {
  @Option(of: "record") var record: GivenOption?
  @Option(of: "startLevel") var startLevel: GivenOption?
  @Option(of: "stopLevel") var stopLevel: GivenOption?
  @Option(of: "stopTime") var stopTime: GivenOption?
  @Option(of: "preRoll") var preRoll: GivenOption?

  /// The given values, by key.
  func values() throws(ChainFailure) -> [String: OptionValue] {
    try [record, startLevel, stopLevel, stopTime, preRoll].values()
  }
}
