import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit

/// Renders the files of a batch.
struct BatchRunCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Render many files through a chain (the default: 'fxrun batch chain.json INPUTS').",
    discussion: """
      Worker processes, two more than there are processors, render one file after the other. A worker \
      that crashes is replaced; the file that it crashed over fails, and no other.

      Exit status: 0 when every file is done, 8 when some failed, 75 when the same command may \
      complete it later (the disk is full, memory ran out), 130 after Ctrl-C; 2, 3, 4 or 64 for \
      mistakes that are found before any file is rendered. The first Ctrl-C lets the files that are \
      being rendered end, the second ends at once; neither leaves a file that is not complete.
      """)

  @OptionGroup var file: ChainArguments
  @OptionGroup var inputs: BatchInputs

  @Option(
    name: [.customShort("j"), .long], parsing: .unconditional,
    help: ArgumentHelp(
      "Worker processes (default: a quarter more than the processors that fxrun may use, at least two more).",
      valueName: "count"))
  var workers: Int?

  @Option(
    help: ArgumentHelp(
      "Keep the records here (default: fxrun-batch.jsonl in the folder of the outputs).",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var log: String?

  @Option(
    help: ArgumentHelp(
      "When all files are through, list the outputs here: a line of --jobs each, in the order of the inputs.",
      valueName: "file"), completion: .file(extensions: ["jsonl"]))
  var manifest: String?

  @Flag(help: "Render every file, also those that are done.")
  var again = false

  @Option(
    help: ArgumentHelp(
      "Render one part of the files: 2/8 for the second of eight; slurm takes it from a job array or srun.",
      valueName: "i/n|slurm"))
  var shard: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Seconds that a file may take.", valueName: "seconds"))
  var timeout: Double = 3600

  @Option(
    name: .customLong("input"),
    help: ArgumentHelp(
      "Feed another input of the chain, for every file; may be repeated.", valueName: "name=file"),
    completion: .words(.inputFiles))
  var otherInputs: [String] = []

  @OptionGroup var rawInputs: RawInputArguments

  @OptionGroup var albums: AlbumArguments

  @OptionGroup var render: BatchRenderArguments

  @Flag(help: "Print the record of each file as it is done, a line each, and a summary line.")
  var json = false

  @Flag(name: .shortAndLong, help: "Print errors only.")
  var quiet = false

  func run() throws {
    let report = BatchReport(
      isJSON: json, isQuiet: quiet, albums.measureOnly ? .measuringOnly : .rendering)
    let stop = StopSignal()
    let totals: BatchTotals
    do throws(ChainFailure) {
      totals = try perform(stop, report)
    } catch {
      let status = FailureReport.report(error, asJSON: json)
      throw [FailureCode.journalBusy, .diskFull].contains { $0.rawValue == error.code }
        ? ExitStatus.temporary.exitCode : status
    }
    report.end(totals)
    let status = Self.status(totals, isStopped: stop.isStopped)
    if status != .success { throw status.exitCode }
  }

  private func perform(_ stop: StopSignal, _ report: BatchReport) throws(ChainFailure)
    -> BatchTotals
  {
    try check()
    let shard = try shard.map { text throws(ChainFailure) in
      try BatchShard(text, environment: BatchShard.slurmVariables)
    }
    let raw = try rawInputs.formats()
    let plan = try inputs.plan(
      isRaw: raw["main"] != nil, isSplit: render.editing.split != nil)
    let chain = try file.load()
    var options = BatchOptions(chain)
    var request = RenderRequest(
      inputs: try Pair.dictionary(otherInputs, option: "--input").merging(
        ["main": "each of the files"]) { $1 })
    try render.fill(&request)
    request.inputs["main"] = nil
    request.rawInputs = raw
    try albums.fill(&request)
    if render.editing.split != nil, try albums.grouping() != nil {
      throw .usage("--split does not go with --album or --skip-within, which measure whole files")
    }
    options.request = request
    try checkManifest(plan, shard)
    let compiled = try BatchSetup.check(options, plan.jobs)
    if !json { FailureReport.warn(compiled.diagnostics, isQuiet: quiet) }
    var jobs = plan.jobs(of: shard ?? .whole)
    let header = BatchHeader(
      program: "fxrun \(Release.version)", chain: chain.path, shard: (shard ?? .whole).text,
      files: jobs.count, allFiles: plan.jobs.count)
    var settings = BatchRun.Settings(options)
    settings.workers = workers ?? BatchRun.usualWorkerCount
    settings.timeout = timeout
    settings.again = again
    settings.keepsRecords = manifest != nil
    settings.reserved = [manifest, albums.measureOnly ? nil : try journal(shard)].compactMap { $0 }
    settings.chainWarnings = Set(
      compiled.diagnostics.all.filter { $0.severity == .warning }.map(\.message))
    settings.exitStatus = { ExitStatus($0).rawValue }
    let writer = albums.measureOnly ? nil : try BatchJournalWriter(try journal(shard))
    stop.hear()
    Interrupts.stop(with: stop)
    if let grouping = try albums.grouping() {
      var levels = AlbumPlan(
        plan, grouping, albums.target(request), options, compiled, shard: shard ?? .whole)
      let measured = try measure(&levels, jobs.count, settings, header, shard, stop, report)
      if albums.measureOnly { return measured }
      if stop.isStopped || measured.abortion != nil {
        var totals = BatchTotals(files: jobs.count)
        totals.abortion = measured.abortion
        return totals
      }
      jobs = levels.levelled()
      report.warn(levels.remarks)
    }
    guard let writer else { return BatchTotals(files: jobs.count) }
    report.warn(writer.journal.damage)
    _ = writer.append(header.json)
    return try Self.run(jobs, settings, writer, stop, report, manifest: manifest)
  }

  /// - Parameter manifest: where to list the outputs, when no file is left.
  private static func run(
    _ jobs: [BatchJob], _ settings: BatchRun.Settings, _ writer: BatchJournalWriter,
    _ stop: StopSignal, _ report: BatchReport, manifest: String? = nil
  ) throws(ChainFailure) -> BatchTotals {
    var observer = BatchRun.Observer()
    observer.record = { report.show($0, $1) }
    let run = BatchRun(jobs, settings, writer, stop: stop, observer: observer)
    report.begin(run.totals)
    let totals = run.run()
    guard let manifest else { return totals }
    guard totals.left == 0, totals.abortion == nil else {
      report.warn(["\(manifest) is not written, because the batch is not complete"])
      return totals
    }
    try BatchManifest.write(run.finished, to: manifest)
    return totals
  }

  /// Refuses a manifest in the place of a file that the batch needs.
  private func checkManifest(_ plan: BatchPlan, _ shard: BatchShard?) throws(ChainFailure) {
    guard let manifest else { return }
    guard !albums.measureOnly else {
      throw .usage("--manifest lists outputs, and --measure-only writes none")
    }
    var spelling = PathSpelling()
    let path = PathKey(spelling.spelled(manifest))
    let others =
      [inputs.jobs, inputs.list, try journal(shard), file.chain].compactMap { $0 }
      + plan.jobs.flatMap { [$0.file.path, $0.output] + $0.file.named }
    for other in others where PathKey(spelling.spelled(other)) == path {
      throw .usage("--manifest \(manifest) would replace \(other); give it another name")
    }
  }

  /// Measures the files of this shard that have no measurement yet.
  ///
  /// - Parameter count: the number of files of the shard.
  private func measure(
    _ levels: inout AlbumPlan, _ count: Int, _ settings: BatchRun.Settings, _ header: BatchHeader,
    _ shard: BatchShard?, _ stop: StopSignal, _ report: BatchReport
  ) throws(ChainFailure) -> BatchTotals {
    let folder: String
    if let given = albums.measurements { folder = given } else { folder = try outputFolder() }
    var known = try MeasurementFolder(folder)
    report.warn(known.damage)
    let missing = levels.take(&known, again: again)
    let path = Self.path(MeasurementFolder.name(of: shard), in: folder)
    let writer = try BatchJournalWriter(path)
    _ = writer.append(header.json)
    var settings = settings
    settings.options = AlbumPlan.measuring(settings.options)
    let shown =
      albums.measureOnly ? report : BatchReport(isJSON: false, isQuiet: quiet, .measuring)
    var totals = try Self.run(missing, settings, writer, stop, shown)
    var now = try MeasurementFolder(folder)
    _ = levels.take(&now)
    totals.files = count
    totals.skipped += count - missing.count
    return totals
  }

  private func check() throws(ChainFailure) {
    guard timeout > 0, timeout <= 1e6, (1...256).contains(workers ?? 1) else {
      throw .usage("--timeout must be above 0 and at most 1000000 seconds, and -j 1 to 256")
    }
  }

  private func journal(_ shard: BatchShard?) throws(ChainFailure) -> String {
    if let log { return log }
    let part = shard.map { ".\($0.number)of\($0.count)" } ?? ""
    return Self.path("fxrun-batch\(part).jsonl", in: try outputFolder())
  }

  private func outputFolder() throws(ChainFailure) -> String {
    try inputs.template(isSplit: render.editing.split != nil)?.folder ?? "."
  }

  private static func path(_ name: String, in folder: String) -> String {
    folder == "." ? name : "\(folder)/\(name)"
  }

  private static func status(_ totals: BatchTotals, isStopped: Bool) -> ExitStatus {
    if isStopped, totals.left > 0 { return .interrupted }
    if totals.hasTemporaryFailure || totals.abortion != nil { return .temporary }
    return totals.failed > 0 ? .incomplete : .success
  }
}

/// How the files of a batch are rendered: the options of `fxrun run` that apply to every file.
struct BatchRenderArguments: ParsableArguments {
  @OptionGroup var setting: SettingArguments

  @Option(
    help: ArgumentHelp(
      "Bypass a node: it passes its input on; may be repeated.", valueName: "node"),
    completion: .words(.nodes))
  var bypass: [String] = []

  @OptionGroup var rate: RateArguments

  @OptionGroup var encoding: EncodingArguments

  @OptionGroup var editing: EditingArguments

  func fill(_ request: inout RenderRequest) throws(ChainFailure) {
    request.settings = try setting.settings()
    request.bypassed = bypass
    request.scene = setting.scene
    guard encoding.chapters.isEmpty else {
      throw .usage("--chapter names the places of one sound, and a batch has many")
    }
    var given = try rate.values()
    for group in try [encoding.values(), editing.values()] { given.merge(group) { $1 } }
    try request.set(checking: given)
    try request.check()
  }
}
