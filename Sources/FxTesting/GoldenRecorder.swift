import FxAnalysis
import FxChain
import FxDiagnostics
import FxGoldens
import FxKit
import Glibc
import Synchronization

/// Writes goldens, one at a time: tests run in parallel, and so do test processes.
final class GoldenRecorder: Sendable {
  static let shared = GoldenRecorder()

  /// By manifest, the digests of what this process has recorded or found right.
  private let seen = Mutex<[String: [UInt64]]>([:])

  /// Writes a golden where it sounds otherwise than it did, or is not there.
  ///
  /// - Returns: what was done, as a sentence; nil where nothing had to be.
  /// - Throws: `ChainFailure` where it cannot be written, or another test has recorded another sound
  ///   under this name.
  func record(_ testCase: TestCase, _ rendering: Rendering) throws(ChainFailure) -> String? {
    let path = testCase.manifestPath
    let digests = rendering.rendered.outputs.map(\.digest)
    return try seen.withLock { seen throws(ChainFailure) in
      if let others = seen[path] {
        guard others == digests else {
          throw ChainFailure(
            .request, code: "two-sounds",
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

  /// Two processes that write into a folder wait for each other.
  private static func locked<Result>(
    _ path: String, _ body: () throws(ChainFailure) -> Result
  ) throws(ChainFailure) -> Result {
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
      let code = errno
      if descriptor >= 0 { close(descriptor) }
      throw ChainFailure(
        .output, code: "unwritable",
        "\(folder): cannot be locked: \(String(cString: strerror(code)))", path: folder)
    }
    // Closing it unlocks it.
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
    // Twice: the two show what does not repeat itself.
    let again = try CaseRun.record(testCase, into: draft)
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
      words = "the golden '\(testCase.name)' is recorded: listen to \(path.dropLast(12)).wav"
    }
    for output in manifest.outputs {
      guard let target = testCase.soundPath(ofOutput: output.name), let name = output.sound else {
        continue
      }
      try WholeFile.move("\(draft)/\(name)", to: target)
    }
    // The manifest last: without it there is no golden.
    try WholeFile.write(manifest.json.text() + "\n", to: path)
    return words
  }

  private static func unrepeatable(_ manifest: Manifest) -> ChainFailure {
    let nodes = manifest.fingerprints.nodes.filter { !$0.repeats }.map { "'\($0.id)' (\($0.unit))" }
    return ChainFailure(
      .chain, code: "not-repeatable",
      "two renders of it differ, in \(nodes.joined(separator: ", ")): no golden can be exact; give "
        + "it a tolerance, such as within: .peak(-90)")
  }

  /// What makes a golden worth writing anew; nil for nothing.
  private static func change(
    _ verdict: CaseVerdict, _ manifest: Manifest, _ before: Manifest
  ) -> String? {
    guard case .passed = verdict.outcome else {
      let lines = verdict.outputs.compactMap { $0.comparison?.lines.first }
      return lines.first ?? "it has other bits"
    }
    // The processor and fxrun's version alone would make every machine write its own.
    let changes = manifest.environment.changes(since: before.environment).filter {
      $0.kind != .processor && $0.kind != .fxrun
    }
    return changes.first.map { "it sounds the same, made with something else: \($0.message)" }
  }
}

extension Manifest {
  /// True where all of its sounds are there.
  fileprivate func isWhole(in testCase: TestCase) -> Bool {
    outputs.allSatisfy { output in
      output.sound == nil || testCase.soundPath(ofOutput: output.name).map(WholeFile.exists) == true
    }
  }
}
