import ArgumentParser
import FxKit

/// Prints the render order of a compiled chain.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Print the render order that a chain compiles to: steps, buffers, latencies.")

  @OptionGroup var file: ChainArguments
  @OptionGroup var stream: StreamArguments
  @OptionGroup var memory: MemoryArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Divide the plan for so many threads, where that pays.", valueName: "n"))
  var threads: Int?

  @Flag(help: "Draw the graph in Graphviz's language: fxrun plan --dot chain.json | dot -Tsvg.")
  var dot = false

  @Flag(help: "Print the plan as JSON.")
  var json = false

  func run() throws {
    do throws(ChainFailure) {
      var asked = RenderRequest()
      asked.threads = threads
      asked.memoryLimit = try memory.limit()
      try asked.check()
      let report = PlanReport(
        try file.load().planned(
          sampleRate: stream.sampleRate, channels: stream.channels, asked: asked))
      if dot {
        Output.write(report.dot(name: file.chain), to: .output)
      } else if json {
        Output.json(report.json)
      } else {
        Output.line(report.text)
      }
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
  }
}
