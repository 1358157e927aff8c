import CRealtime
import FxAudio
import FxChain
import FxChecks
import FxKit
import FxMedia
import Glibc

/// The process that renders files one after another. The request are the batch's options; the
/// channel is a `WorkerLink`.
enum BatchWorker {
  /// Follows each answer when the plugins of its file are cleaned up.
  static let cleanedUp = "{}"

  static func main(_ received: ReceivedTask) -> Never {
    PluginHosting.begin(exitStatus: 3)
    PluginHosting.reportCrashesAsJSON(to: ReceivedTask.channel)
    let link = WorkerLink(ReceivedTask.channel)
    guard
      let options = decoded(
        received.request, { value throws(Failure) in try BatchOptions(value) })
    else { _exit(64) }
    while let line = link.receive() {
      guard
        let task = decoded(line, { value throws(Failure) in try WorkerTask(value) }),
        link.send(
          answer(task, options).warned(by: UnnamedFile.bytes(STDERR_FILENO)).json
            .text(indented: false))
      else { _exit(64) }
      // If a plugin crashes after this point, its file is already rendered.
      PluginHosting.endRender()
      guard link.send(cleanedUp) else { _exit(64) }
      // Discard the error output of this file before the next one.
      _ = ftruncate(STDERR_FILENO, 0)
      lseek(STDERR_FILENO, 0, SEEK_SET)
    }
    _exit(0)
  }

  /// Opens a file whose name is not UTF-8: the render gets the kernel's name for the descriptor.
  private static func answer(_ task: WorkerTask, _ options: BatchOptions) -> WorkerAnswer {
    guard let raw = task.job.file.raw else { return named(task, options) }
    let file = raw.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY) }
    guard file >= 0 else { return named(task, options) }
    defer { close(file) }
    let (name, shown) = ("/proc/self/fd/\(file)", task.job.file.path)
    var task = task
    task.job.file = BatchFile(path: name, relative: task.job.file.relative)
    var answer = named(task, options)
    switch answer.outcome {
    case .failed(var failure):
      failure.message = failure.message.replacing(name, with: shown)
      answer.outcome = .failed(failure)
    case .done(var results):
      for index in results.indices {
        results[index].warnings = results[index].warnings.map { $0.replacing(name, with: shown) }
      }
      answer.outcome = .done(results)
    case .unchanged: break
    }
    return answer
  }

  private static func named(_ task: WorkerTask, _ options: BatchOptions) -> WorkerAnswer {
    let path = task.job.file.path
    // Read the stamp before the digest: if the file changes in between, the next run must notice
    // it.
    let stamp = InputStamp.stamp(of: task.job.file)
    // Only for regular files: a pipe can be read only once.
    let digest =
      InputStamp.size(ofFile: path) == nil ? "" : BatchDigest.digest(of: task.job.file) ?? ""
    if !digest.isEmpty, digest == task.knownDigest {
      return WorkerAnswer(.unchanged, digest: digest, stamp: stamp)
    }
    do throws(ChainFailure) {
      let results = try render(task.job, options)
      return WorkerAnswer(.done(results), digest: digest, stamp: stamp)
    } catch {
      task.job.parts?.clear()
      return WorkerAnswer(.failed(error), digest: digest, stamp: stamp)
    }
  }

  private static func render(
    _ task: BatchJob, _ options: BatchOptions
  ) throws(ChainFailure) -> [BatchRecord.Result] {
    if let parts = task.parts {
      parts.clear()
      try WholeFile.makeFolder(parts.workFolder)
    } else {
      try WholeFile.makeFolder(of: task.output)
    }
    guard !task.levelling.isCopied else {
      do throws(Failure) {
        try FileCopy.copy(task.file.path, to: task.output)
      } catch {
        throw ChainFailure(error, error.path == task.output ? .output : .input)
      }
      var result = BatchRecord.Result()
      result.byteCount = InputStamp.size(ofFile: task.output) ?? 0
      return [result]
    }
    let request = options.request(task)
    let job = try RenderJob(options.chain(task), request)
    guard !job.isLive else {
      throw ChainFailure(
        .request, code: .usage, "the chain plays or records, which a batch does not do")
    }
    let summary = try job.render()
    var result = BatchRecord.Result()
    result.frames = summary.frames
    result.sampleRate = summary.sampleRate
    result.warnings =
      job.diagnostics.all.filter { $0.severity == .warning }.map(\.message)
      + summary.warnings
    if let parts = task.parts {
      return results(result, summary, parts)
    }
    if let output = summary.outputs.first(where: { $0.name == task.output }) {
      result.frames = output.frames
      result.channels = output.channels
      result.peak = Math.decibels(amplitude: Double(output.peak))
      result.loudness = output.loudness
      result.clippedSamples = output.clippedSamples
      result.measurement = output.measured.map { sound, file in
        BatchMeasurement(
          sound: sound, file: file,
          isLossy: FileFormat(request.encoding, path: task.output)?.isLossy ?? false)
      }
    }
    guard !task.levelling.isOnlyMeasured else {
      guard result.measurement != nil else {
        throw ChainFailure(
          .output, code: .notMeasured,
          "\(task.output): its loudness cannot be measured: "
            + "write a file, not a pipe or a device", path: task.output)
      }
      return [result]
    }
    result.byteCount = InputStamp.size(ofFile: task.output) ?? 0
    return [result]
  }

  /// The results of the files that an input was split into, with what they have in common.
  private static func results(
    _ common: BatchRecord.Result, _ summary: RenderSummary, _ names: BatchParts
  ) -> [BatchRecord.Result] {
    summary.outputs.flatMap { output in
      output.parts.map { part in
        var result = common
        result.frames = part.frames
        result.channels = output.channels
        result.peak = Math.decibels(amplitude: Double(part.peak))
        result.loudness = part.loudness
        result.clippedSamples = part.clippedSamples
        result.byteCount = InputStamp.size(ofFile: part.name) ?? 0
        result.part = BatchPart(part, of: output.parts.count, template: names.template)
        result.writtenName = part.name
        return result
      }
    }
  }
}
