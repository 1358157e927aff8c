import CRealtime
import FxAudio
import FxChain
import FxKit
import Glibc

/// Makes a new golden: renders it in separate processes into a temporary folder beside the old one.
/// It is moved into place after the changes have been reported.
struct GoldenUpdate: Sendable {
  /// The bytes that fill the heap in the two renders: nodes that depend on uninitialised memory
  /// differ.
  private static let fills = (85, 170)

  private let testCase: TestCase
  private let process: CaseProcess
  /// Beside the golden, so that its files can be moved.
  private let draft: String
  private let goldenFolder: String

  /// A golden that is complete but not moved into place.
  struct Draft: Sendable {
    fileprivate let update: GoldenUpdate
    fileprivate let manifest: Manifest
    fileprivate let gone: [String]

    /// Moves the golden into place; returns the files that were written and removed.
    func commit() throws(ChainFailure) -> (written: [String], removed: [String]) {
      try update.commit(manifest, gone: gone)
    }

    func discard() { update.discard() }
  }

  /// - Parameter index: distinguishes the updates of one process.
  init(_ testCase: TestCase, index: Int, process: CaseProcess) {
    self.testCase = testCase
    self.process = process
    let manifest = testCase.manifestPath
    goldenFolder = manifest.lastIndex(of: "/").map { String(manifest[..<$0]) } ?? "."
    draft = "\(goldenFolder)/.fxrun-test-\(getpid())-\(index)"
  }

  /// Renders the golden and finds its changes; nil if it is no longer wanted.
  func result(isUnwanted: () -> Bool) -> SuiteResult? {
    let result: SuiteResult?
    do throws(ChainFailure) {
      result = try made(isUnwanted: isUnwanted)
    } catch {
      result = SuiteResult(verdict: CaseVerdict(name: testCase.name, outcome: .failed(error)))
    }
    if result?.draft == nil { discard() }
    return result
  }

  private func made(isUnwanted: () -> Bool) throws(ChainFailure) -> SuiteResult? {
    var damage: String?
    let old = try oldManifest(&damage)
    // An unchanged golden keeps its signals; a new one uses the current signals.
    let signals = old?.signals ?? .current
    guard var result = process.result(record(0, signals), testCase, isUnwanted: isUnwanted) else {
      return nil
    }
    var recorded = fx_monotonic_seconds()
    guard result.verdict.passes else { return result }
    var manifest = try Manifest(contentsOfFile: draftPath(0, testCase.manifestPath))
    if let old {
      guard let check = process.result(.check(artifacts: nil), testCase, isUnwanted: isUnwanted)
      else { return nil }
      if case .failed = check.verdict.outcome {} else { result.verdict = check.verdict }
      let changes = manifest.environment.changes(since: old.environment)
      if result.verdict.passes, isKept(old, manifest, changes) {
        result.seconds += check.seconds
        return result
      }
      if result.verdict.passes { result.verdict.environment = changes }
    } else {
      result.verdict.outcome = .new
      result.verdict.warnings += damage.map { [$0] } ?? []
    }
    if signals != .current {
      guard let today = process.result(record(0, .current), testCase, isUnwanted: isUnwanted) else {
        return nil
      }
      recorded = fx_monotonic_seconds()
      guard today.verdict.passes else { return today }
      let heard = manifest.environment.inputs
      manifest = try Manifest(contentsOfFile: draftPath(0, testCase.manifestPath))
      if manifest.environment.inputs != heard {
        result.verdict.notes.append(
          "the new golden has newer test signals: a different one for every input, with peaks "
            + "near full scale")
      }
    }
    guard
      let replaced = process.result(
        .replace(folder: "\(draft)/0"), testCase, isUnwanted: isUnwanted)
    else { return nil }
    if case .failed = replaced.verdict.outcome { return replaced }
    result.verdict.take(replacements: replaced.verdict)
    guard manifest.waitForNextSecond(since: recorded, isUnwanted: isUnwanted),
      let second = process.result(record(1, .current), testCase, isUnwanted: isUnwanted)
    else {
      return nil
    }
    guard second.verdict.passes else { return second }
    let other = try Manifest(contentsOfFile: draftPath(1, testCase.manifestPath))
    manifest = manifest.marking(unlike: other)
    guard !testCase.tolerance.isExact || manifest.sounds(like: other) else {
      throw unrepeatable(manifest)
    }
    try WholeFile.write(
      manifest.json.text() + "\n", to: draftPath(0, testCase.manifestPath))
    // If this fails, the case is still valid.
    let exercise = process.result(.exercise, testCase, isUnwanted: isUnwanted)
    let known = result.verdict.warnings
    result.verdict.warnings += exercise?.verdict.warnings.filter { !known.contains($0) } ?? []
    result.isUpdated = true
    result.draft = Draft(
      update: self, manifest: manifest, gone: old.map { gone($0, manifest) } ?? [])
    return result
  }

  private func record(_ index: Int, _ signals: DefaultSignals) -> CaseHost.Task {
    .record(
      folder: "\(draft)/\(index)", fill: index == 0 ? Self.fills.0 : Self.fills.1,
      signals: signals)
  }

  private func draftPath(_ index: Int, _ path: String) -> String {
    "\(draft)/\(index)/\(path.split(separator: "/").last ?? "")"
  }

  /// The existing manifest; nil if there is none or if it is damaged, which is then described.
  private func oldManifest(_ damage: inout String?) throws(ChainFailure) -> Manifest? {
    guard WholeFile.exists(testCase.manifestPath) else { return nil }
    do throws(ChainFailure) {
      return try Manifest(contentsOfFile: testCase.manifestPath)
    } catch {
      guard error.code != FailureCode.gitLfsPointer.rawValue else { throw error }
      damage = error.message
      return nil
    }
  }

  /// True if the old golden passes and is complete, so that it can stay.
  private func isKept(
    _ old: Manifest, _ new: Manifest, _ changes: [CaseVerdict.EnvironmentChange]
  ) -> Bool {
    let isWhole = old.outputs.allSatisfy { output in
      guard let sound = testCase.soundPath(ofOutput: output.name) else {
        return output.sound == nil
      }
      guard output.sound != nil, WholeFile.exists(sound) else { return false }
      // A damaged sound file is replaced.
      if testCase.tolerance.isExact { return isSame(draftPath(0, sound), sound) }
      return (try? Sound(contentsOfFile: sound)).map { $0.isBeside(output) } ?? false
    }
    guard isWhole, changes.allSatisfy({ $0.kind == .processor }),
      testCase.cost == nil || old.cost != nil
    else { return false }
    // If bits are not repeatable, fingerprints are not either.
    return !testCase.tolerance.isExact
      || new.fingerprints.divergences(from: old.fingerprints).isEmpty
  }

  /// Sounds of the old golden that the new one does not have.
  private func gone(_ old: Manifest, _ new: Manifest) -> [String] {
    let kept = new.outputs.compactMap(\.sound)
    return old.outputs.compactMap(\.sound).filter { name in
      !kept.contains(name) && !name.contains("/")
        && [".wav", ".flac"].contains { name.lowercased().hasSuffix($0) }
    }.map { "\(goldenFolder)/\($0)" }.filter(WholeFile.exists)
  }

  private func unrepeatable(_ manifest: Manifest) -> ChainFailure {
    let nodes = manifest.fingerprints.nodes.filter { !$0.repeats }.map { "'\($0.id)' (\($0.unit))" }
    let subject = nodes.isEmpty ? "the render" : nodes.joined(separator: ", ")
    return ChainFailure(
      .chain, code: .notRepeatable,
      "two renders of it differ: \(subject) \(nodes.count > 1 ? "do" : "does") not repeat "
        + "\(nodes.count > 1 ? "themselves" : "itself"), so that no golden can be exact",
      path: testCase.file,
      hints: ["give the case a tolerance, such as \"tolerance\": \"-90 dB\""])
  }

  // MARK: In place

  /// Moves new files into place, sounds before the manifest that names them. Files with the same
  /// content stay. Returns the files that were written and removed.
  fileprivate func commit(
    _ manifest: Manifest, gone: [String]
  ) throws(ChainFailure) -> (written: [String], removed: [String]) {
    defer { discard() }
    var written: [String] = []
    for output in manifest.outputs {
      guard let path = testCase.soundPath(ofOutput: output.name) else { continue }
      let new = draftPath(0, path)
      guard WholeFile.exists(new), !isSame(new, path) else { continue }
      try WholeFile.move(new, to: path)
      written.append(path)
    }
    try WholeFile.move(draftPath(0, testCase.manifestPath), to: testCase.manifestPath)
    written.append(testCase.manifestPath)
    for path in gone { unlink(path) }
    return (written, gone)
  }

  private func isSame(_ new: String, _ old: String) -> Bool {
    guard WholeFile.exists(old), let one = try? Sound(contentsOfFile: new),
      let other = try? Sound(contentsOfFile: old)
    else { return false }
    return one == other
  }

  /// Removes the temporary folder.
  fileprivate func discard() { WholeFile.remove(draft) }
}

extension CaseVerdict {
  /// Adds comparisons of sounds that a golden will replace, for outputs without a comparison.
  fileprivate mutating func take(replacements other: CaseVerdict) {
    for output in other.outputs {
      if let index = outputs.firstIndex(where: { $0.name == output.name }) {
        guard outputs[index].comparison == nil, !output.isSame else { continue }
        outputs[index] = output
      } else {
        outputs.append(output)
      }
      if !output.isWithinTolerance { outcome = .differs }
    }
    warnings += other.warnings.filter { !warnings.contains($0) }
  }
}
