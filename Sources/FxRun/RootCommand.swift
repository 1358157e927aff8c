package import ArgumentParser
import FxAudio
import FxChecks
import FxKit
import Glibc

/// The command line: parse, call FxKit, report.
package struct RootCommand: ParsableCommand {
  package init() {}

  static let version = Release.version

  package static let configuration = CommandConfiguration(
    commandName: "fxrun",
    abstract:
      "Runs effect chains: a JSON file of built-in units and LV2 plugins, over a file or live.",
    usage: """
      fxrun CHAIN.json [INPUT] [-o OUTPUT] [OPTIONS]
      fxrun SUBCOMMAND
      """,
    discussion: """
      fxrun chain.json input.mp3 plays through the sound card; with -o out.wav it renders into a \
      file, as fast as it can.

      \(ExitStatus.help)
      """,
    version: version,
    subcommands: commands,
    defaultSubcommand: RunCommand.self)

  private static let commands: [any ParsableCommand.Type] = [
    RunCommand.self, ControlCommand.self, CheckCommand.self, PlanCommand.self,
    ProfileCommand.self, PlotCommand.self, DiffCommand.self, InfoCommand.self, StatsCommand.self,
    TestCommand.self, LintCommand.self, BatchCommand.self, UnitsCommand.self,
    PluginsCommand.self, DevicesCommand.self, SaveStateCommand.self, SchemaCommand.self,
  ]

  package static func main() {
    // Handle fxrun's own hidden commands first, before setup that a plugin process does not need.
    PluginHosting.serve(Array(CommandLine.arguments.dropFirst()))
    if CommandLine.arguments.dropFirst().first == CaseHost.command {
      CaseHost.main(
        Array(CommandLine.arguments.dropFirst(2)), page: DifferenceReport.self)
    }
    if CommandLine.arguments.dropFirst().first == BatchWorker.command {
      BatchWorker.main(Array(CommandLine.arguments.dropFirst(2)))
    }
    PluginHosting.keepErrorStream()
    Interrupts.prepare()
    PluginHosting.begin(exitStatus: ExitStatus.plugin.rawValue)
    if RawArguments.asksForJSON {
      // Standard output leads elsewhere while plugins run.
      let kept = fcntl(RawArguments.wordStream.rawValue, F_DUPFD_CLOEXEC, 3)
      if kept >= 0 { PluginHosting.reportCrashesAsJSON(to: kept) }
    }
    if CommandLine.arguments.dropFirst().first == LintHost.command {
      Output.end(ExitCode(LintHost.run(Array(CommandLine.arguments.dropFirst(2)))))
    }
    do {
      try RawArguments.check()
      try run(RawArguments.all)
      Output.end(.success)
    } catch {
      report(error)
      Output.end(exitCode(for: error))
    }
  }

  /// Runs the command that the arguments ask for.
  private static func run(_ arguments: [String]) throws {
    let named = arguments.first.flatMap { word in
      // No command's name has a dot. Asking all commands for their names would also build their
      // help.
      word.contains(".") ? nil : commands.first { $0.configuration.commandName == word }
    }
    let type = named ?? RunCommand.self
    let rest = Array(arguments.dropFirst(named == nil ? 0 : 1))
    let asksForHelp = arguments.first == "help"
    if asksForHelp, let word = arguments.dropFirst().first, !word.hasPrefix("-"),
      !commands.contains(where: { $0.configuration.commandName == word })
    {
      throw ValidationError("there is no command '\(word)'")
    }
    var command: any ParsableCommand
    // A single command parses its arguments faster than the tree of all commands. The tree handles
    // help and wrong arguments.
    if !asksForHelp, type.configuration.subcommands.isEmpty, let parsed = try? type.parse(rest) {
      command = parsed
    } else {
      command = try parseAsRoot(arguments)
    }
    try command.run()
  }

  /// Prints the parser's message: help or a mistake in the arguments. Commands report their own
  /// failures and only throw an exit code.
  private static func report(_ error: any Error) {
    guard !(error is ExitCode) else { return }
    switch exitCode(for: error) {
    case .success:
      let text = fullMessage(for: error)
      if !text.isEmpty { Output.write(text + "\n", to: .output) }
    case .validationFailure where RawArguments.asksForJSON:
      _ = FailureReport.report(
        ChainFailure(.request, code: .usage, message(for: error)), asJSON: true,
        to: RawArguments.wordStream)
    default:
      Output.error(RawArguments.visible(in: fullMessage(for: error)))
    }
  }
}
