import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxImport
import FxKit

/// Turns a configuration of another program into a chain.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract:
      "Make a chain of another program's configuration, and report what became of each part.",
    discussion: """
      The format is recognized by the content. The report goes to standard error: parts that are \
      approximated or not possible, each with its line.
      """)

  @Argument(
    help: ArgumentHelp("Configurations, or folders with configurations.", valueName: "file"),
    completion: .file())
  var files: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make a chain of effects of sox: 'highpass 80 norm -1'.", valueName: "effects"))
  var sox: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Make a chain of audio filters of ffmpeg: 'highpass=f=80,volume=-3dB'.", valueName: "filters")
  )
  var ffmpeg: String?

  @Option(
    name: .customShort("o"),
    help: ArgumentHelp(
      "Write this chain, or for several configurations into this folder (default: print the chain).",
      valueName: "chain"), completion: .file())
  var output: String?

  @Flag(help: "Copy the files that the chain reads beside it.")
  var collect = false

  @Flag(help: "Fail if a part is approximated or not possible: exit status 7.")
  var strict = false

  @Flag(help: "Print the report as JSON; needs -o.")
  var json = false

  func validate() throws {
    guard !files.isEmpty || sox != nil || ffmpeg != nil else {
      throw ValidationError("name a configuration, or give effects with --sox or --ffmpeg")
    }
    guard output?.isEmpty != true else { throw ValidationError("-o names no file") }
    guard output != nil || !json && !collect else {
      throw ValidationError("--json and --collect need -o: standard output has the chain")
    }
  }

  func run() throws {
    var isFaithful = true
    var reports: [JSONOutput] = []
    var mistakes = Diagnostics()
    do throws(ChainFailure) {
      let given =
        [(ForeignFormat.sox, sox), (.ffmpeg, ffmpeg)]
        .compactMap { format, text in text.map { (format, $0) } }
      let sources = try ImportSources(files, texts: given)
      guard output != nil || !sources.isSeveral else {
        throw ChainFailure(.request, code: .usage, "several configurations need -o FOLDER")
      }
      for source in sources.all {
        let target = output.map { sources.isSeveral ? "\($0)/\(source.chainName)" : $0 }
        let report = try importOne(source, to: target, &mistakes)
        isFaithful = isFaithful && report.isFaithful
        reports.append(report.json(chain: target))
        if !json { Output.error(report.text) }
      }
    } catch {
      throw FailureReport.report(error, asJSON: json)
    }
    if json { Output.json(.members(["imports": .array(reports)])) }
    if mistakes.hasErrors { throw FailureReport.report(ChainFailure(mistakes), asJSON: false) }
    if strict, !isFaithful { throw ExitStatus.differs.exitCode }
  }

  /// Imports a configuration.
  ///
  /// - Parameter mistakes: receives what fxrun refuses in the chain as a whole, such as a loop.
  private func importOne(
    _ source: ImportSources.Source, to target: String?, _ mistakes: inout Diagnostics
  ) throws(ChainFailure) -> ImportReport {
    if let target,
      files.contains(where: { isSameFile($0, target) }) || isSameFile(source.path, target)
    {
      throw ChainFailure(
        .output, code: .sameAsInput, "\(target): the chain would replace the configuration",
        path: target)
    }
    let imported = try ImportedChain(
      bytes: source.bytes, path: source.path,
      target: ImportTarget(configuration: source.path, chain: target, collects: collect),
      format: source.format)
    guard let target else {
      if let file = imported.files.first(where: \.isMade) {
        throw ChainFailure(
          .request, code: .usage,
          "the chain reads a file that fxrun makes, \(file.name): name the chain with -o",
          path: source.path)
      }
      Output.write(imported.graph.json, to: .output)
      mistakes.add(contentsOf: Chain(imported.graph, path: "chain.json").checked())
      return imported.report
    }
    for file in imported.files {
      try file.write(besides: target, collects: collect)
    }
    try WholeFile.write(imported.graph.json, to: target)
    mistakes.add(contentsOf: try Chain(contentsOfFile: target).checked())
    return imported.report
  }
}

extension ImportedFile {
  /// Writes the file beside a chain, if it is new or is to be copied.
  fileprivate func write(besides chain: String, collects: Bool) throws(ChainFailure) {
    let folder = chain.lastIndex(of: "/").map { String(chain[...$0]) } ?? ""
    switch content {
    case .text(let text): try WholeFile.write(text, to: folder + name)
    case .copy(let path):
      // A file of a missing name is in the report already.
      guard collects, WholeFile.exists(path), !isSameFile(path, folder + name) else { return }
      let bytes = try ImportSources.read(path)
      if WholeFile.exists(folder + name), try ImportSources.read(folder + name) != bytes {
        throw ChainFailure(
          .output, code: .unwritable,
          "\(folder + name): this file is there with another content: import into another folder",
          path: folder + name)
      }
      try WholeFile.write(bytes: bytes, to: folder + name)
    }
  }
}
