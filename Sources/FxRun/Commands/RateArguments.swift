import ArgumentParser
import FxAudio
import FxKit

/// The sample rate, the block size and the memory of a render.
struct RateArguments: ParsableArguments {
  @Option(of: "sampleRate") var sampleRate: GivenOption?
  @Option(of: "resampling") var resampling: GivenOption?
  @Option(of: "blockSize") var blockSize: GivenOption?
  @Option(of: "memory") var memory: GivenOption?

  /// The given values, by key.
  func values() throws(ChainFailure) -> [String: OptionValue] {
    try [sampleRate, resampling, blockSize, memory].values()
  }
}
