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
    help: ArgumentHelp(
      "The key of the input in a line of --jobs: audio_filepath, for example (default: input).",
      valueName: "key"))
  var inputKey: String?

  @Flag(
    help:
      "Carry keys that fxrun does not know from a line of --jobs into the record and the manifest.")
  var carry = false

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write to this name, with {path}, {name}, {ext}, {parent}, {index} or {id} of each input; with --split also {n} and {title} of each part.",
      valueName: "template"))
  var output: String?

  func plan(isRaw: Bool, isSplit: Bool) throws(ChainFailure) -> BatchPlan {
    let template = try template(isSplit: isSplit)
    guard [!inputs.isEmpty, list != nil, jobs != nil].count(where: { $0 }) == 1 else {
      throw ChainFailure(
        .request, code: .usage, "name inputs, or give --list or --jobs, one of the three")
    }
    if let jobs {
      var keys = BatchJobLine.Keys()
      if let inputKey { keys.input = inputKey }
      keys.carriesOthers = carry
      return try BatchPlan(
        try BatchJobLine.all(try BatchList.bytes(jobs), path: jobs, keys), template,
        isSplit: isSplit)
    }
    guard inputKey == nil, !carry else {
      throw .usage("--\(carry ? "carry" : "input-key") is about the lines of --jobs")
    }
    guard let template else {
      throw ChainFailure(
        .request, code: .usage, "a batch needs -o with a field: -o 'done/{path}.flac'")
    }
    if let list {
      return try BatchPlan(
        Self.lines(try BatchList.bytes(list)).map(BatchFile.init(listed:)), template,
        isSplit: isSplit)
    }
    let files = try BatchSearch(outputFolder: template.folder, isRaw: isRaw).files(inputs)
    return try BatchPlan(files, template, isSplit: isSplit)
  }

  func template(isSplit: Bool) throws(ChainFailure) -> BatchTemplate? {
    guard let output else { return nil }
    return try BatchTemplate(output, isSplit: isSplit)
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
