import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit

/// Reports all mistakes of a chain without running it.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Report every mistake in a chain, without running it."
  )

  @OptionGroup var file: ChainArguments
  @OptionGroup var stream: StreamArguments
  @OptionGroup var memory: MemoryArguments

  @Flag(help: "Print the messages as JSON, for editors and CI.")
  var json = false

  @Flag(
    help: ArgumentHelp(
      "Rewrite the file for the newest version of the format, with the same sound.",
      discussion: "Order, spacing and comments stay."))
  var fix = false

  func run() throws {
    let diagnostics: Diagnostics
    do throws(ChainFailure) {
      if fix { try rewrite() }
      diagnostics = try file.load().checked(
        sampleRate: stream.sampleRate, channels: stream.channels, memoryLimit: try memory.limit())
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    if json {
      Output.json(diagnostics.json)
    } else if diagnostics.isEmpty {
      Output.line("\(ForeignText.visible(file.chain)): no mistakes")
    } else {
      Output.line(diagnostics.text(isColored: Output.isColored(.output)))
    }
    guard diagnostics.hasErrors else { return }
    throw ExitStatus(ChainFailure(diagnostics).kind).exitCode
  }
}

extension CheckCommand {
  /// Rewrites the file, and says on standard error what has changed. A chain with mistakes stays as it is.
  private func rewrite() throws(ChainFailure) {
    guard file.chain != "none", file.chain != "-" else {
      throw ChainFailure(.request, code: .usage, "--fix needs a chain file that it can rewrite")
    }
    let chain = try file.load()
    guard !chain.checked().hasErrors else { return }
    guard let upgrade = try ChainUpgrade(chain) else {
      return Output.error("\(ForeignText.visible(file.chain)): nothing to rewrite")
    }
    try WholeFile.rewrite(bytes: upgrade.bytes, to: chain.path)
    for line in upgrade.lines { Output.error(line) }
  }
}

extension ChainUpgrade {
  /// The changes, one per line.
  fileprivate var lines: [String] {
    let path = ForeignText.visible(changes.first?.place.source.path ?? "")
    var lines = changes.map { change in
      let (line, column) = change.place.source.position(of: change.place.range.lowerBound)
      return "\(path):\(line):\(column): \"\(change.old)\" is \"\(change.new)\" now"
    }
    if changes.contains(where: \.isVariable) {
      lines.append(
        "note: a value given with --define is read like the chain: \"1/8\" is a note now")
    }
    return lines
  }
}

/// The format of the input that a chain is checked or planned for.
struct StreamArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sample rate where the chain does not set one.", valueName: "Hz"))
  var sampleRate = 48000.0

  // Elsewhere --channels chooses channels of a file.
  @Option(
    name: .customLong("input-channels"), parsing: .unconditional,
    help: ArgumentHelp(
      "Channels of the chain's inputs; default: the chain's 'channels', or 2.", valueName: "count"))
  var channels: Int?

  /// The channels for a command that has no chain to ask.
  var width: Int { channels ?? 2 }

  func validate() throws {
    guard sampleRate >= 1000, sampleRate <= 1_000_000 else {
      throw ValidationError("--sample-rate must be 1000 to 1000000 Hz")
    }
    guard (1...256).contains(channels ?? 1) else {
      throw ValidationError("--input-channels must be 1 to 256")
    }
  }
}
