import FxAudio
import FxKit
import Glibc

/// One part of a batch that several computers share: shard `number` of `count`.
///
/// The digest of a file's path within the given folder decides its shard. The order of the files,
/// other files and the place of the folder do not matter.
struct BatchShard: Sendable, Equatable {
  /// From 1.
  package let number: Int
  package let count: Int

  package static let whole = BatchShard(1, of: 1)

  private init(_ number: Int, of count: Int) {
    self.number = number
    self.count = count
  }

  package var text: String { "\(number)/\(count)" }

  package func contains(_ file: BatchFile) -> Bool { shard(of: file) == self }

  /// The shard that a file belongs to.
  package func shard(of file: BatchFile) -> BatchShard {
    guard count > 1 else { return self }
    return BatchShard(Int(BatchDigest.number(of: file.relative) % UInt64(count)) + 1, of: count)
  }

  /// Reads `2/8`, or `slurm`, which uses the variables of Slurm.
  package init(_ text: String, environment: [String: String]) throws(ChainFailure) {
    guard text != "slurm" else {
      self = try Self.slurm(environment)
      return
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], count <= 1_000_000,
      number >= 1, number <= count
    else {
      throw ChainFailure(
        .request, code: .usage,
        "--shard takes NUMBER/COUNT, from 1/COUNT on, or slurm, not '\(text)'")
    }
    self.init(number, of: count)
  }

  /// The Slurm variables of this process.
  static var slurmVariables: [String: String] {
    var variables: [String: String] = [:]
    for name in [
      "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_MAX",
      "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT", "SLURM_STEP_ID", "SLURM_PROCID",
      "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS",
    ] {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    return variables
  }

  /// The task of a job array, combined with the task of srun.
  private static func slurm(_ environment: [String: String]) throws(ChainFailure) -> BatchShard {
    func number(_ name: String) -> Int? { environment[name].flatMap { Int($0) } }
    var (index, count) = (0, 1)
    let task = number("SLURM_ARRAY_TASK_ID")
    if let task {
      guard let first = number("SLURM_ARRAY_TASK_MIN"), let last = number("SLURM_ARRAY_TASK_MAX"),
        case let step = max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1), task >= first, task <= last,
        case let places = (last - first) / step + 1, (task - first) % step == 0,
        places == number("SLURM_ARRAY_TASK_COUNT") ?? places
      else {
        throw ChainFailure(
          .request, code: .usage,
          "--shard slurm needs a job array without gaps, as --array=1-8 makes it",
          hints: ["to run some tasks again: --shard ${SLURM_ARRAY_TASK_ID}/8"])
      }
      (index, count) = ((task - first) / step, places)
    }
    // Only srun numbers the processes; a batch script runs as one process.
    if environment["SLURM_STEP_ID"] != nil, let process = number("SLURM_PROCID"),
      let processes = number("SLURM_STEP_NUM_TASKS") ?? number("SLURM_NTASKS"), process >= 0,
      process < processes
    {
      (index, count) = (index * processes + process, count * processes)
    } else if task == nil {
      throw ChainFailure(
        .request, code: .usage,
        "--shard slurm finds neither a job array nor a task of srun; outside Slurm use --shard 1/8")
    }
    return BatchShard(index + 1, of: count)
  }
}
