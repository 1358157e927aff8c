import ArgumentParser

/// Runs one chain over many files, on all processors.
struct BatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "batch",
    abstract: "Render many files through a chain, on all processors, and resume after a stop.",
    usage: """
      fxrun batch CHAIN.json INPUTS... -o 'done/{path}.flac' [OPTIONS]
      fxrun batch merge RECORDS...
      """,
    discussion: """
      Files that are done are skipped when the same command is started again. Each file has a record, \
      one line of JSON. fxrun batch merge combines the records of several shards.
      """,
    subcommands: [BatchRunCommand.self, BatchMergeCommand.self],
    defaultSubcommand: BatchRunCommand.self)
}
