import ArgumentParser
import FxChain
import FxChecks
import FxKit

/// Combines the records of shards.
struct BatchMergeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract:
      "Combine the records of a batch's shards, and fail if some are missing or duplicate.",
    discussion: """
      Prints the last record of each file, sorted by path, one JSON object a line.

      Exit status: 0 when every file has one record and is done; 8 when records are missing or \
      duplicate (only their names are printed then), or when a file failed; 4 when records \
      cannot be read.
      """)

  @Argument(
    help: "Records as fxrun batch writes them.", completion: .file(extensions: ["jsonl"]))
  var records: [String]

  @Option(
    help: ArgumentHelp(
      "Expect a record for each file that a list names, one a line; - reads standard input.",
      valueName: "file"), completion: .file())
  var expect: String?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp("Write the records to a file.", valueName: "file"), completion: .file())
  var output: String?

  @Option(
    help: ArgumentHelp(
      "List the finished outputs, as --manifest of the batch does.", valueName: "file"),
    completion: .file(extensions: ["jsonl"]))
  var manifest: String?

  func run() throws {
    var merge: BatchMerge
    do throws(ChainFailure) {
      var journals: [(String, BatchJournal)] = []
      for path in records {
        journals.append((path, try BatchJournal(contentsOfFile: path)))
      }
      let expected = try expect.map { list throws(ChainFailure) in
        BatchInputs.lines(try BatchList.bytes(list)).map(BatchFile.init(listed:))
      }
      merge = BatchMerge(journals, expected: expected)
    } catch {
      throw FailureReport.report(error, asJSON: false)
    }
    if manifest != nil { merge.checkOrder() }
    for warning in merge.warnings { Output.error("warning: \(warning)") }
    for mistake in merge.mistakes { Output.error("error: \(mistake)") }
    guard merge.mistakes.isEmpty else { throw ExitStatus.incomplete.exitCode }
    let text = merge.records.map { "\($0.json.text(indented: false))\n" }.joined()
    do throws(ChainFailure) {
      if let manifest {
        try BatchManifest.write(
          merge.records, to: manifest, keeping: records + [expect, output].compactMap { $0 })
      }
      if let output {
        try WholeFile.write(text, to: output)
      } else if manifest == nil {
        Output.write(text, to: .output)
      }
    } catch {
      throw FailureReport.report(error, asJSON: false)
    }
    for record in merge.failed {
      Output.error("failed: \(record.input): \(record.failure?.message ?? "")")
    }
    let done = merge.records.count - merge.failed.count
    Output.error(
      "\(Text.count(merge.records.count, "record")): \(done) done, \(merge.failed.count) failed")
    if !merge.failed.isEmpty { throw ExitStatus.incomplete.exitCode }
  }
}
