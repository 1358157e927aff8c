import FxAudio
import FxChain
import FxChecks
import FxKit
import Glibc
import Synchronization

/// Writes goldens one at a time, because tests and test processes run in parallel.
final class GoldenRecorder: Sendable {
  static let shared = GoldenRecorder()

  /// By manifest, the digests that this process has recorded or found correct.
  private let seen = Mutex<[String: [UInt64]]>([:])

  /// Writes a golden if it is missing or its sound differs.
  ///
  /// - Returns: a sentence about the change; nil if nothing was written.
  /// - Throws: `ChainFailure` if it cannot be written, or if another test recorded a different
  ///   sound under this name.
  func record(_ testCase: TestCase, _ rendering: Rendering) throws(ChainFailure) -> String? {
    let path = testCase.manifestPath
    let digests = rendering.rendered.outputs.map(\.digest)
    return try seen.withLock { seen throws(ChainFailure) in
      if let others = seen[path] {
        guard others == digests else {
          throw ChainFailure(
            .request, code: .twoSounds,
            "another test has recorded another sound under this name; goldens of different sounds "
              + "want different names")
        }
        return nil
      }
      try WholeFile.makeFolder(of: path)
      let words = try Self.locked(path) { () throws(ChainFailure) in
        try Self.write(testCase, rendering.rendered)
      }
      seen[path] = digests
      return words
    }
  }

  /// Locks a folder, so that only one process writes to it at a time.
  private static func locked<Result>(
    _ path: String, _ body: () throws(ChainFailure) -> Result
  ) throws(ChainFailure) -> Result {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw ChainFailure(
        .output, code: .unwritable,
        "\(folder): cannot be locked: \(String(cString: strerror(code)))", path: folder)
    }
    // Closing the descriptor unlocks the folder.
    defer { close(descriptor) }
    return try body()
  }

  private static func write(
    _ testCase: TestCase, _ rendering: CaseRendering
  ) throws(ChainFailure) -> String? {
    let path = testCase.manifestPath
    let before = WholeFile.exists(path) ? try? Manifest(contentsOfFile: path) : nil
    let draft = "\(path).\(getpid()).recording"
    try WholeFile.makeFolder(draft)
    defer { WholeFile.remove(draft) }
    // Render twice: the difference shows which nodes are not repeatable.
    let again = try CaseRun.record(testCase, into: draft)
    _ = again.waitForNextSecond()
    let manifest = try CaseRun.record(testCase, into: draft).marking(unlike: again)
    guard !testCase.tolerance.isExact || manifest.sounds(like: again) else {
      throw unrepeatable(manifest)
    }
    let words: String
    if let before, before.isWhole(in: testCase) {
      let verdict = CaseRun.verdict(of: testCase, rendering: rendering)
      guard let change = change(verdict, manifest, before) else { return nil }
      words = "the golden '\(testCase.name)' is recorded again: \(change)"
    } else {
      let replaced = try CaseRun.replacements(of: testCase, by: draft)
      let changes = replaced.outputs.filter { !$0.isSame }.map {
        $0.comparison?.lines.first ?? "the replaced sound could not be read"
      }
      words =
        "the golden '\(testCase.name)' is recorded: listen to \(path.dropLast(12)).wav"
        + (changes.first.map { "; compared with the file that it replaces: \($0)" } ?? "")
    }
    for output in manifest.outputs {
      guard let target = testCase.soundPath(ofOutput: output.name), let name = output.sound else {
        continue
      }
      try WholeFile.move("\(draft)/\(name)", to: target)
    }
    // Write the manifest last: without it there is no golden.
    try WholeFile.write(manifest.json.text() + "\n", to: path)
    return words
  }

  private static func unrepeatable(_ manifest: Manifest) -> ChainFailure {
    let nodes = manifest.fingerprints.nodes.filter { !$0.repeats }.map { "'\($0.id)' (\($0.unit))" }
    return ChainFailure(
      .chain, code: .notRepeatable,
      "two renders of it differ, in \(nodes.joined(separator: ", ")): no golden can be exact; give "
        + "it a tolerance, such as within: .peak(-90)")
  }

  /// The reason to write a golden again; nil if there is none.
  private static func change(
    _ verdict: CaseVerdict, _ manifest: Manifest, _ before: Manifest
  ) -> String? {
    guard case .passed = verdict.outcome else {
      let lines = verdict.outputs.compactMap { $0.comparison?.lines.first }
      return lines.first ?? "it has other bits"
    }
    // Ignore the processor and fxrun's version; otherwise every machine would write its own golden.
    let changes = manifest.environment.changes(since: before.environment).filter {
      $0.kind != .processor && $0.kind != .fxrun
    }
    return changes.first.map { "it sounds the same, made with something else: \($0.message)" }
  }
}

extension Manifest {
  /// True if all its sound files exist.
  fileprivate func isWhole(in testCase: TestCase) -> Bool {
    outputs.allSatisfy { output in
      output.sound == nil || testCase.soundPath(ofOutput: output.name).map(WholeFile.exists) == true
    }
  }
}
