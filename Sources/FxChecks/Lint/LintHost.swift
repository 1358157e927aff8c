import CRealtime
package import FxAudio
import FxChain
import FxEngine
import FxKit
import Glibc

/// The process that renders for a lint. The request is a `LintTask`; the channel receives a
/// `LintResult`.
package enum LintHost {
  package static func main(_ received: ReceivedTask) -> Never {
    PluginHosting.begin(exitStatus: 3)
    guard
      let task = decoded(
        received.request, { value throws(Failure) in try LintTask(value) })
    else { ReceivedTask.refuse("the task cannot be read") }
    let isWritten = UnnamedFile.write(
      result(of: task).json.text(indented: false), to: ReceivedTask.channel)
    // A plugin that crashes now is a warning.
    PluginHosting.end(exitStatus: isWritten ? 0 : 5)
    _exit(isWritten ? 0 : 5)
  }

  private static func result(of task: LintTask) -> LintResult {
    var result = LintResult()
    do throws(ChainFailure) {
      try perform(task, &result)
    } catch {
      result.failure = error
    }
    return result
  }

  private static func perform(_ task: LintTask, _ result: inout LintResult) throws(ChainFailure) {
    if task.triesParts {
      var testCase = task.testCase
      testCase.blockSize = task.blockSize
      result.unheard = try Exercise(testCase).unheard.parts
      return
    }
    if task.isMeasured { fx_keep_denormals() }
    // Keep each job: the traces of an instance count only while it exists.
    var jobs: [RenderJob] = []
    for index in 0..<max(task.repeats, 1) {
      let render = try LintRender(task)
      result.runs.append(render.run)
      jobs.append(render.job)
      if let node = task.recordedNode, let side = render.output(ofNode: node) {
        result.runs[index].recordedChannelCount = side.count
        result.runs[index].recordedFrameCount = side.first?.count ?? 0
        _ = side.joined().withContiguousBytes { write($0, task.recordingPath(index)) }
      }
      guard index == 0 else { continue }
      render.describe(&result)
    }
    withExtendedLifetime(jobs) {}
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, _ path: String) -> Bool {
    guard let file = fopen(path, "we") else { return false }
    let count = fwrite(bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1), 1, bytes.count, file)
    return fclose(file) == 0 && count == bytes.count
  }
}

extension Sequence<Float> {
  fileprivate func withContiguousBytes<Result>(
    _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    Array(self).withUnsafeBytes(body)
  }
}
