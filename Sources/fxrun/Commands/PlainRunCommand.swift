import ArgumentParser
import FxKit

/// `run` with the arguments that most runs have and no others: they are parsed in a third of the time.
struct PlainRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run", shouldDisplay: false)

  /// The chain and, where there is a second one, the main input.
  @Argument var files: [String] = []

  @Option(name: .customShort("o")) var outputFiles: [String] = []

  @Flag var json = false

  @Flag(name: .shortAndLong) var quiet = false

  /// The command that arguments ask for; nil where it takes `RunCommand` to understand them, or to say
  /// what is wrong with them.
  static func command(_ arguments: [String]) -> PlainRunCommand? {
    let options: Set = ["-", "-o", "-q", "--quiet", "--json"]
    guard arguments.allSatisfy({ !$0.hasPrefix("-") || options.contains($0) }),
      let command = try? parse(arguments), (1...2).contains(command.files.count)
    else { return nil }
    return command
  }

  func run() throws {
    let wordStream = ChainRun.wordStream(besides: outputFiles)
    try ChainRun.report(asJSON: json, to: wordStream) { () throws(ChainFailure) in
      var run = ChainRun(try ChainArguments.load(files[0]), request(), to: wordStream)
      run.asJSON = json
      run.isQuiet = quiet
      return run
    }
  }

  func request() -> RenderRequest {
    var request = RenderRequest()
    if files.count > 1 { request.inputs["main"] = files[1] }
    request.outputs["main"] = outputFiles.first
    request.copies = Array(outputFiles.dropFirst())
    return request
  }
}
