package import ArgumentParser
import FxAudio
import FxChecks
import FxKit
import Glibc

/// The command line: parse, call FxKit, report.
package struct RootCommand: ParsableCommand {
  package init() {}

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
    version: Release.description,
    subcommands: commands,
    defaultSubcommand: RunCommand.self)

  /// The names of all commands.
  static var commandNames: [String] {
    commands.compactMap { $0.configuration.commandName } + ["help"]
  }

  /// What fxrun prints without arguments.
  static let examples = """
    fxrun runs chains of effects: a JSON file of built-in units and LV2 plugins.

      fxrun chain.json talk.mp3                         play a file through a chain
      fxrun chain.json talk.mp3 -o talk.wav             render it into a file
      fxrun none talk.wav -o talk.mp3 --loudness -16    convert a file, and set its loudness

    'fxrun help' lists the commands, 'fxrun units' the units.
    """

  private static let commands: [any ParsableCommand.Type] = [
    RunCommand.self, ControlCommand.self, CheckCommand.self, PlanCommand.self,
    ProfileCommand.self, PlotCommand.self, DiffCommand.self, InfoCommand.self, StatsCommand.self,
    TestCommand.self, LintCommand.self, BatchCommand.self, ChainsCommand.self, UnitsCommand.self,
    PluginsCommand.self, DevicesCommand.self, SaveStateCommand.self, SchemaCommand.self,
    ServeCommand.self, ImportCommand.self, ExportCommand.self,
  ]

  static func perform() -> Never {
    if let task = ReceivedTask(RawArguments.given) { serve(task) }
    complete(RawArguments.given)
    PluginHosting.keepErrorStream()
    Interrupts.prepare()
    PluginHosting.begin(exitStatus: ExitStatus.plugin.rawValue)
    if RawArguments.asksForJSON {
      // Standard output leads elsewhere while plugins run.
      let kept = fcntl(RawArguments.wordStream.rawValue, F_DUPFD_CLOEXEC, 3)
      if kept >= 0 { PluginHosting.reportCrashesAsJSON(to: kept) }
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

  /// Answers a shell that completes a command line, and ends the process; returns if none asks.
  private static func complete(_ arguments: [String]) {
    if arguments.first == CompletionAnswer.command {
      Output.write(CompletionAnswer.text(Array(arguments.dropFirst())), to: .output)
    } else if let script = CompletionScript.asked(by: arguments) {
      Output.write(script.text + "\n", to: .output)
    } else {
      return
    }
    Output.end(.success)
  }

  /// Performs the task of a process that fxrun started.
  private static func serve(_ task: ReceivedTask) -> Never {
    PluginHosting.serve(task)
    switch task.role {
    case .testCase: CaseHost.main(task, page: DifferenceReport.self)
    case .lint: LintHost.main(task)
    case .batch: BatchWorker.main(task)
    case .render, .probe, .bundles, .sofa: ReceivedTask.refuse("nobody performs this task")
    }
  }

  /// Runs the command that the arguments ask for.
  private static func run(_ arguments: [String]) throws {
    guard !arguments.isEmpty else {
      Output.error(examples)
      throw ExitStatus.usage.exitCode
    }
    let named = arguments.first.flatMap { word in
      // No command's name has a dot. Asking all commands for their names would also build their
      // help.
      word.contains(".") ? nil : commands.first { $0.configuration.commandName == word }
    }
    let type = named ?? RunCommand.self
    let rest = Array(arguments.dropFirst(named == nil ? 0 : 1))
    if let help = HelpText.ofBoth(arguments, commands) { throw CleanExit.message(help) }
    let asksForHelp = arguments.first == "help"
    if asksForHelp, let word = arguments.dropFirst().first, !word.hasPrefix("-"),
      !commands.contains(where: { $0.configuration.commandName == word })
    {
      let hint = Suggestion.hint(for: word, in: commandNames).first.map { "; \($0)" } ?? ""
      throw ValidationError("there is no command '\(word)'\(hint)")
    }
    var command: any ParsableCommand
    // A single command parses its arguments faster than the tree of all commands. The tree handles
    // help and wrong arguments.
    if !asksForHelp, type.configuration.subcommands.isEmpty, let parsed = try? type.parse(rest) {
      command = parsed
    } else {
      command = try parsed(arguments, advises: named == nil && !asksForHelp)
    }
    try command.run()
  }

  /// Parses the arguments with the tree of all commands.
  ///
  /// - Parameter advises: says what was probably meant where no command is named.
  private static func parsed(
    _ arguments: [String], advises: Bool
  ) throws -> any ParsableCommand {
    do {
      return try parseAsRoot(arguments)
    } catch {
      guard advises, exitCode(for: error) == .validationFailure,
        let advice = CommandAdvice.message(message(for: error), for: arguments)
      else { throw error }
      throw ValidationError(advice)
    }
  }

  /// Prints the parser's message: help or a mistake in the arguments. Commands report their own
  /// failures and only throw an exit code.
  private static func report(_ error: any Error) {
    guard !(error is ExitCode) else { return }
    switch exitCode(for: error) {
    case .success:
      let text = HelpText.arranged(fullMessage(for: error))
      if !text.isEmpty { Output.write(OwnSymbols.fitted(text) + "\n", to: .output) }
    case .validationFailure where RawArguments.asksForJSON:
      _ = FailureReport.report(
        ChainFailure(.request, code: .usage, message(for: error)), asJSON: true,
        to: RawArguments.wordStream)
    default:
      Output.error(RawArguments.visible(in: fullMessage(for: error)))
    }
  }
}
