import FxAudio
import FxEngine
import FxKit
import FxMedia

/// The albums of a batch: which jobs have to be measured, and what follows for each job.
struct AlbumPlan {
  /// All jobs, of all shards.
  let jobs: [BatchJob]
  let albums: [Album]
  let target: AlbumTarget
  /// True if the tracks of an album share a gain and have the album's tags.
  let isShared: Bool
  /// Those that this shard renders.
  private let shard: BatchShard
  private let keys: [String]
  private let options: BatchOptions
  private let canCopy: Bool
  private var records: [Int: BatchRecord] = [:]
  /// Sentences about the albums of this shard, for the user.
  private(set) var remarks: [String] = []

  init(
    _ plan: BatchPlan, _ grouping: AlbumGrouping, _ target: AlbumTarget, _ options: BatchOptions,
    _ compiled: CompiledChain, shard: BatchShard
  ) {
    self.options = options
    self.target = target
    self.shard = shard
    isShared = grouping != .track
    jobs = plan.jobs
    albums = grouping.albums(plan.jobs, tags: options.request.encoding.tags)
    var keys = BatchPlanKeys(Self.measuring(options))
    self.keys = plan.jobs.map { keys.key(of: Self.measuring($0)) }
    canCopy = Self.changesOnlyLoudness(options, compiled)
  }

  /// The options of a measurement: the tags and the wanted loudness do not matter to it.
  static func measuring(_ options: BatchOptions) -> BatchOptions {
    var options = options
    options.request.loudness = nil
    options.request.cover = nil
    options.request.encoding.tags = [:]
    options.request.encoding.tagsLoudness = false
    return options
  }

  private static func measuring(_ job: BatchJob) -> BatchJob {
    var job = job
    job.tags = [:]
    job.levelling.isOnlyMeasured = true
    return job
  }

  /// True if the batch changes nothing of a sound but its loudness.
  private static func changesOnlyLoudness(
    _ options: BatchOptions, _ compiled: CompiledChain
  ) -> Bool {
    func values(_ request: RenderRequest) -> [String: OptionValue] {
      let harmless = ["loudness", "memory", "threads", "blockSize"]
      return request.values.filter { !harmless.contains($0.key) }
    }
    // A source and a sink: a check does not add the node of `--loudness`.
    return compiled.resolved.graph.nodes.count == 2
      && values(options.request) == values(RenderRequest()) && options.request.cover == nil
      && options.request.rawInputs.isEmpty
  }

  /// Takes the known measurements, and returns the jobs of this shard that have none.
  ///
  /// - Parameter again: whether this shard measures all its jobs.
  mutating func take(_ folder: inout MeasurementFolder, again: Bool = false) -> [BatchJob] {
    var missing: [BatchJob] = []
    for album in albums where album.jobs.contains(where: { shard.contains(jobs[$0].file) }) {
      for place in album.jobs {
        let job = jobs[place]
        let record = folder.record(of: job, plan: keys[place])
        records[place] = record
        // A failure of this shard may have passed.
        if again || record?.status != .measured, shard.contains(job.file) {
          missing.append(Self.measuring(job))
        }
      }
    }
    return missing
  }

  /// The jobs of this shard, with their gains, or with the reason why they cannot have one.
  mutating func levelled() -> [BatchJob] {
    var found: [Int: BatchJob] = [:]
    for album in albums {
      let own = album.jobs.filter { shard.contains(jobs[$0].file) }
      guard !own.isEmpty else { continue }
      if let problem = problem(of: album) {
        for place in own {
          found[place] = jobs[place]
          found[place]?.obstacle =
            records[place]?.failure
            ?? (isShared ? problem : notMeasured(jobs[place].file.path, place))
        }
        continue
      }
      let order = album.jobs.sorted { PathKey(jobs[$0].output) < PathKey(jobs[$1].output) }
      let result = target.result(order.compactMap { records[$0]?.result.measurement })
      if isShared, let remark = result.remark { remarks.append("album '\(album.name)': \(remark)") }
      for place in own { found[place] = levelled(place, album, result) }
    }
    return found.sorted { $0.key < $1.key }.map(\.value)
  }

  private func levelled(_ place: Int, _ album: Album, _ result: AlbumTarget.Result) -> BatchJob {
    var job = jobs[place]
    job.measured = records[place]?.result
    let measurement = job.measured?.measurement
    job.measured?.measurement = nil
    job.levelling.isAlreadyRight = result.isAlreadyRight
    job.levelling.isCopied =
      result.isAlreadyRight && canCopy && !job.hasSettings && job.tags.isEmpty && job.raw == nil
      && FileFormat(path: job.output) == FileFormat(path: job.file.path)
      && FileFormat(path: job.output) != .raw && job.measured?.warnings == []
    guard isShared else { return job }
    job.album = album.name
    job.levelling.album = result.album
    if let remark = result.remark { job.remarks.append("album '\(album.name)': \(remark)") }
    if let measurement, !measurement.sound.blocks.integrated().isFinite, result.remark == nil {
      job.remarks.append(
        "no part of it is above -70 LUFS for 0.4 s, so it has no track gain; it has the album's")
    }
    return job
  }

  /// The reason why an album has no gain; nil if it has one.
  private func problem(of album: Album) -> ChainFailure? {
    if let place = album.jobs.first(where: { records[$0]?.status == .failed }) {
      let path = jobs[place].file.path
      let message = records[place]?.failure?.message ?? ""
      let words =
        message.hasPrefix("\(path): ") ? String(message.dropFirst(path.count + 2)) : message
      return ChainFailure(
        .input, code: .albumFailed,
        "its album '\(album.name)' has no loudness, because '\(path)' cannot be measured: \(words)",
        hints: ["mend or leave out that file"])
    }
    guard let place = album.jobs.first(where: { records[$0] == nil }) else { return nil }
    let others = album.jobs.filter { records[$0] == nil }.count - 1
    return notMeasured(
      jobs[place].file.path, place, album.name, others: others)
  }

  private func notMeasured(
    _ path: String, _ place: Int, _ album: String? = nil, others: Int = 0
  ) -> ChainFailure {
    let owner = shard.shard(of: jobs[place].file)
    let subject = album.map { "its album '\($0)' is not measured completely: " } ?? ""
    let rest = others > 0 ? " and \(Text.count(others, "other file")) have" : " has"
    return ChainFailure(
      .input, code: .notMeasured,
      "\(subject)'\(path)'\(rest) no measurement"
        + (owner == shard
          ? ""
          : " of shard \(owner.text): run every shard with --measure-only first, and keep their files "
            + "fxrun-album.*.jsonl in one folder (--measurements)"))
  }
}
