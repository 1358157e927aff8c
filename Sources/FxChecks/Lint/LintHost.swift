import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxKit
import Glibc

/// The process that renders for a lint: fxrun itself with a hidden command.
///
/// A file describes its task. It writes its result to the given descriptor.
package enum LintHost {
  package static let command = "lint-render"

  /// The command and its arguments.
  static func arguments(_ task: String) -> [String] { [command, task, String(getpid())] }

  /// Performs the task. Returns the exit status.
  package static func run(_ arguments: [String]) -> Int32 {
    let answer = Int32(FX_CHILD_MEMORY)
    guard arguments.count == 2, let parent = Int32(arguments[1]),
      fcntl(answer, F_SETFD, FD_CLOEXEC) == 0
    else { return 64 }
    fx_process_follow(parent)
    var found = Diagnostics()
    guard let bytes = try? ChainFile.readNamed(arguments[0]),
      let document = JSONDocument.read(SourceText(path: arguments[0], bytes: bytes), into: &found),
      let task = try? LintTask(ManifestValue(document.root, "the task"))
    else { return 64 }
    var result = LintResult()
    do throws(ChainFailure) {
      try perform(task, &result)
    } catch {
      result.failure = LintResult.Failure(error)
    }
    return UnnamedFile.write(result.json.text(indented: false), to: answer) ? 0 : 5
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

  static func write(_ bytes: [UInt8], _ path: String) -> Bool {
    bytes.withUnsafeBytes { write($0, path) }
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
