import ArgumentParser
import FxAudio
import FxKit

/// The memory limit of a chain.
struct MemoryArguments: ParsableArguments {
  @Option(of: "memory") var memory: GivenOption?

  /// In bytes.
  func limit() throws(ChainFailure) -> Int {
    try [memory].values().integer("memory") ?? MemoryBudget.standard
  }
}
