import ArgumentParser
import FxAudio
import FxChain
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

  func run() throws {
    let diagnostics: Diagnostics
    do throws(ChainFailure) {
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

/// The format of the input that a chain is checked or planned for.
struct StreamArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Sample rate where the chain does not set one.", valueName: "Hz"))
  var sampleRate = 48000.0

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Channels of the chain's inputs.", valueName: "count"))
  var channels = 2

  func validate() throws {
    guard sampleRate >= 1000, sampleRate <= 1_000_000 else {
      throw ValidationError("--sample-rate is 1000 to 1000000 Hz")
    }
    guard (1...256).contains(channels) else { throw ValidationError("--channels is 1 to 256") }
  }
}
