import ArgumentParser
import FxAudio
import FxKit

/// The files of a batch.
struct BatchInputs: ParsableArguments {
  @Argument(
    help: "Files, folders (with all within them) and patterns in quotes.", completion: .file())
  var inputs: [String] = []

  @Option(
    help: ArgumentHelp(
      "Render the files that a list names, one a line; - reads standard input.", valueName: "file"),
    completion: .file())
  var list: String?

  @Option(
    help: ArgumentHelp(
      "Render jobs: a JSON object a line with input, output, id, set, define, tags, raw; - reads standard input.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var jobs: String?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write to this name, with {path}, {name}, {ext}, {parent}, {index} or {id} of each input.",
      valueName: "template"))
  var output: String?

  func plan(isRaw: Bool) throws(ChainFailure) -> BatchPlan {
    let template = try template()
    guard [!inputs.isEmpty, list != nil, jobs != nil].count(where: { $0 }) == 1 else {
      throw ChainFailure(
        .request, code: .usage, "name inputs, or give --list or --jobs, one of the three")
    }
    if let jobs {
      return try BatchPlan(try BatchJobLine.all(try BatchList.bytes(jobs), path: jobs), template)
    }
    guard let template else {
      throw ChainFailure(
        .request, code: .usage, "a batch needs -o with a field: -o 'done/{path}.flac'")
    }
    if let list {
      return try BatchPlan(
        Self.lines(try BatchList.bytes(list)).map(BatchFile.init(listed:)), template)
    }
    let files = try BatchSearch(outputFolder: template.folder, isRaw: isRaw).files(inputs)
    return try BatchPlan(files, template)
  }

  func template() throws(ChainFailure) -> BatchTemplate? {
    guard let output else { return nil }
    return try BatchTemplate(output)
  }

  /// The lines of a list, without empty ones. If a list contains zero bytes, these separate its
  /// entries.
  static func lines(_ bytes: [UInt8]) -> [RawPath] {
    let separator: UInt8 = bytes.contains(0) ? 0 : 0x0A
    return bytes.split(separator: separator).map { line in
      separator == 0x0A && line.last == 0x0D ? line.dropLast() : line
    }.filter { !$0.isEmpty }.map { RawPath($0) }
  }
}
