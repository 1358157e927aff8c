import ArgumentParser

/// The command line: parse, call FxKit, report.
@main struct FxRun: ParsableCommand {
  static let version = "0.1.0"

  static let configuration = CommandConfiguration(
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
    subcommands: [
      RunCommand.self, CheckCommand.self, PlanCommand.self, UnitsCommand.self,
      PluginsCommand.self, SchemaCommand.self,
    ],
    defaultSubcommand: RunCommand.self)

  static func main() {
    Interrupts.prepare()
    main(nil)
  }
}
