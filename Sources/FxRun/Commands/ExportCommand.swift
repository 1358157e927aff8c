import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxImport
import FxKit

/// Turns a chain into a configuration of another program.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract:
      "Make a configuration of another program of a chain, and report what became of each node.",
    discussion: """
      The chain must be a line of nodes. The report goes to standard error: nodes that are approximated or not \
      possible, each with its line.
      """)

  @OptionGroup var file: ChainArguments

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The program: \(ExportedChain.formats.map(\.rawValue).joined(separator: ", ")).",
      valueName: "program"))
  var to: String

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write this file (default: print the configuration).", valueName: "file"),
    completion: .file())
  var output: String?

  @Flag(help: "Fail if a node is approximated or not possible: exit status 7.")
  var strict = false

  @Flag(help: "Print the report as JSON; needs -o.")
  var json = false

  func validate() throws {
    guard ExportedChain.formats.contains(where: { $0.rawValue == to }) else {
      throw ValidationError(
        "--to takes \(ExportedChain.formats.map(\.rawValue).joined(separator: ", ")), not '\(to)'")
    }
    guard output?.isEmpty != true else { throw ValidationError("-o names no file") }
    guard output != nil || !json else {
      throw ValidationError("--json needs -o: standard output has the configuration")
    }
  }

  func run() throws {
    let report: ImportReport
    do throws(ChainFailure) {
      let chain = try file.load()
      guard let format = ForeignFormat(rawValue: to) else { return }
      let exported = try ExportedChain(chain, to: format)
      if let output {
        guard !isSameFile(output, chain.path) else {
          throw ChainFailure(
            .output, code: .sameAsInput, "\(output): the configuration would replace the chain",
            path: output)
        }
        try WholeFile.write(exported.text, to: output)
      } else {
        Output.write(exported.text, to: .output)
      }
      report = exported.report
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    if json { Output.json(report.json(chain: output)) } else { Output.error(report.text) }
    if strict, !report.isFaithful { throw ExitStatus.differs.exitCode }
  }
}
