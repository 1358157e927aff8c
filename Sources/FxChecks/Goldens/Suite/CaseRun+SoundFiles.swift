import FxChain
package import FxKit

/// Comparisons with sound files alone: of a golden without a manifest, and of files that a new
/// golden will replace.
extension CaseRun {
  /// Compares a render with the sounds of a golden that has no manifest.
  static func compareWithSounds(
    _ verdict: inout CaseVerdict, _ testCase: TestCase, _ rendering: CaseRendering
  ) throws(ChainFailure) {
    for output in rendering.outputs {
      guard let path = testCase.soundPath(ofOutput: output.name), WholeFile.exists(path) else {
        continue
      }
      verdict.outputs.append(
        try CaseVerdict.Output(
          name: output.name, expectedFile: path, actual: output.sound,
          tolerance: testCase.tolerance))
    }
    guard !verdict.outputs.isEmpty else { return }
    if !verdict.outputs.allSatisfy(\.isWithinTolerance) { verdict.outcome = .differs }
    verdict.warnings.append(testCase.missingManifest)
  }

  /// Compares the sounds of a new golden, which are in a folder, with the files that they will
  /// replace.
  package static func replacements(
    of testCase: TestCase, by folder: String
  ) throws(ChainFailure) -> CaseVerdict {
    var verdict = CaseVerdict(name: testCase.name, outcome: .passed)
    let manifest = try Manifest(contentsOfFile: "\(folder)/\(fileName(testCase.manifestPath))")
    for output in manifest.outputs {
      guard let path = testCase.soundPath(ofOutput: output.name), WholeFile.exists(path) else {
        continue
      }
      let new = try Sound(contentsOfFile: "\(folder)/\(fileName(path))")
      do throws(ChainFailure) {
        verdict.outputs.append(
          try CaseVerdict.Output(
            name: output.name, expectedFile: path, actual: new, tolerance: testCase.tolerance))
      } catch {
        guard !isFetchable(path) else { throw error }
        verdict.warnings.append("\(error.message); it cannot be compared with the new golden")
        verdict.outputs.append(
          CaseVerdict.Output(name: output.name, isSame: false, isWithinTolerance: false))
      }
    }
    if !verdict.outputs.isEmpty, !WholeFile.exists(testCase.manifestPath) {
      verdict.warnings.append(testCase.missingManifest)
    }
    return verdict
  }

  /// True for a pointer of Git LFS: the sound itself exists elsewhere.
  private static func isFetchable(_ path: String) -> Bool {
    guard let bytes = try? ChainFile.readNamed(path) else { return false }
    return GitLFSPointer.matches(bytes)
  }
}

extension TestCase {
  fileprivate var missingManifest: String {
    "\(manifestPath) is missing, so that only the sound is compared"
  }
}

extension CaseVerdict.Output {
  /// Compares a rendered sound with a file.
  fileprivate init(
    name: String, expectedFile path: String, actual: Sound, tolerance: Tolerance
  ) throws(ChainFailure) {
    let expected = try Sound(contentsOfFile: path)
    // FLAC stores 24 bits of each sample.
    let isSame =
      expected == actual
      || path.lowercased().hasSuffix(".flac") && expected.isNear(actual)
    self.init(
      name: name, isSame: isSame,
      isWithinTolerance: isSame
        || !tolerance.isExact && tolerance.accepts(expected: expected, actual: actual))
    if !isSame { comparison = Comparison(expected: expected, actual: actual) }
    expectedSound = expected
    actualSound = actual
  }
}
