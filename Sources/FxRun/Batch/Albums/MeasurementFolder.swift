import FxAudio
import FxKit

/// The records of measurements in a folder: one file for each shard, or merged ones.
struct MeasurementFolder {
  /// Several records of an output differ in their plans, or were merged.
  private var records: [PathKey: [BatchRecord]] = [:]
  /// A sentence for each damaged line.
  private(set) var damage: [String] = []
  private var digests: [PathKey: String] = [:]

  private static let beginning = "fxrun-album"
  private static let ending = ".jsonl"

  /// The file of a shard.
  static func name(of shard: BatchShard?) -> String {
    beginning + (shard.map { ".\($0.number)of\($0.count)" } ?? "") + ending
  }

  /// Reads every file of measurements in a folder. A folder that does not exist has none.
  ///
  /// - Throws: `ChainFailure` if a file cannot be read.
  init(_ folder: String) throws(ChainFailure) {
    let names = (folderEntries(in: folder) ?? []).map(\.name).filter {
      $0.hasPrefix(Self.beginning) && $0.hasSuffix(Self.ending)
    }
    for name in names.sorted() {
      let journal = try BatchJournal(contentsOfFile: folder == "." ? name : "\(folder)/\(name)")
      damage += journal.damage
      for (output, last) in journal.latest { records[output, default: []] += last.records }
    }
  }

  /// The record of a job's measurement: made by the same plan, from the same input.
  mutating func record(of job: BatchJob, plan: String) -> BatchRecord? {
    let known = (records[PathKey(job.output)] ?? []).filter {
      $0.plan == plan && ($0.status == .failed || $0.result.measurement != nil)
    }
    guard !known.isEmpty else { return nil }
    let stamp = InputStamp.stamp(of: job.file)
    // A measurement is worth more than a failure of another time.
    let best = known.sorted { $0.status == .failed && $1.status != .failed }
    if let same = best.last(where: { $0.stamp == stamp }) { return same }
    let path = PathKey(job.file.path)
    let digest = digests[path] ?? BatchDigest.digest(of: job.file) ?? ""
    digests[path] = digest
    return digest.isEmpty ? nil : best.last { $0.digest == digest }
  }
}
