import ArgumentParser
import FxKit

/// An amount of memory on the command line: `512M`, `4G`.
struct MemoryArgument: ExpressibleByArgument {
  let bytes: Int

  init?(argument: String) {
    guard let bytes = MemorySize.bytes(argument) else { return nil }
    self.bytes = bytes
  }
}

/// The memory limit of a chain.
struct MemoryArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Memory that the chain's sound may need: 512M, 4G … (default: half of what the process may use, at most 4G).",
      valueName: "size"))
  var memory: MemoryArgument?

  var limit: Int { memory?.bytes ?? MemoryBudget.standard }
}
