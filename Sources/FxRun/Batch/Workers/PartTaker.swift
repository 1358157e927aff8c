import FxAudio
import FxChecks
import FxKit
import FxMedia
import Glibc
import Synchronization

/// Gives the parts of split inputs their names, if these belong to no other job. From any thread.
final class PartTaker: Sendable {
  private enum Owner {
    case input
    case job(Int, input: String)
  }

  private struct Names {
    var spelling = PathSpelling()
    /// Files that are read, and outputs that have been written.
    var owners: [PathKey: Owner] = [:]
  }

  private let names = Mutex(Names())

  /// - Parameter read: the files that the batch reads.
  init(read: [String]) {
    names.withLock { names in
      for path in read { names.owners[PathKey(names.spelling.spelled(path))] = .input }
    }
  }

  /// Reserves the outputs of a job of an earlier run.
  func claim(_ records: [BatchRecord], _ job: BatchJob) {
    names.withLock { names in
      for record in records {
        names.owners[PathKey(names.spelling.spelled(record.output))] =
          .job(job.index, input: job.file.path)
      }
    }
  }

  /// Moves the files of a job from the worker's folder to their names, and writes the names into
  /// the records.
  ///
  /// - Parameter former: the records of an earlier render; fxrun removes its files that the new
  ///   render does not have.
  /// - Throws: `ChainFailure` if a name belongs to a different job or to an input, or cannot be
  ///   written.
  func take(
    _ records: inout [BatchRecord], _ job: BatchJob, _ parts: BatchParts, former: [BatchRecord]
  ) throws(ChainFailure) {
    defer { parts.clear() }
    let written = records.map { $0.result.writtenName ?? "" }
    for index in records.indices {
      records[index].output = parts.name(of: written[index])
      records[index].result.writtenName = nil
    }
    let outputs = records.map(\.output)
    let keys = try reserve(outputs, job)
    do throws(ChainFailure) {
      for (path, output) in zip(written, outputs) { try Self.move(path, to: output) }
    } catch {
      names.withLock { names in for key in keys { names.owners[key] = nil } }
      throw error
    }
    remove(former, otherThan: Set(keys))
  }

  /// Reserves the names of a job.
  private func reserve(
    _ outputs: [String], _ job: BatchJob
  ) throws(ChainFailure) -> [PathKey] {
    let (keys, failure) = names.withLock { names -> ([PathKey], ChainFailure?) in
      let keys = outputs.map { PathKey(names.spelling.spelled($0)) }
      for (key, output) in zip(keys, outputs) {
        switch names.owners[key] {
        case nil: break
        case .job(let index, _) where index == job.index: break
        case .job(_, let input):
          return (
            [],
            ChainFailure(
              .output, code: .sameOutput,
              "\(output): this name of a part belongs to \(input) already", path: output,
              hints: ["put {path} and {n} into -o: 'done/{path}-{n}.flac'"])
          )
        case .input:
          return (
            [],
            ChainFailure(
              .output, code: .overwrittenInput,
              "\(output): this name of a part belongs to a file that the batch reads", path: output,
              hints: ["write into another folder: -o 'done/{path}-{n}.flac'"])
          )
        }
      }
      for key in keys { names.owners[key] = .job(job.index, input: job.file.path) }
      return (keys, nil)
    }
    if let failure { throw failure }
    return keys
  }

  /// Replaces a file; of a link, the file that it leads to.
  private static func move(_ path: String, to output: String) throws(ChainFailure) {
    let target = realpath(output, nil).map { real in
      defer { free(real) }
      return String(cString: real)
    }
    var status = stat()
    if let target, stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw ChainFailure(
        .output, code: .unwritable,
        "\(output): the parts of a sound are files, and this is a folder, a pipe or a device",
        path: output)
    }
    try WholeFile.move(path, to: target ?? output)
  }

  /// Removes the files of an earlier render that nobody has changed or replaced.
  private func remove(_ former: [BatchRecord], otherThan kept: Set<PathKey>) {
    for record in former where record.part != nil && record.hasOutput() {
      let isFree = names.withLock { names in
        let key = PathKey(names.spelling.spelled(record.output))
        return !kept.contains(key) && names.owners[key] == nil
      }
      if isFree { unlink(record.output) }
    }
  }
}
