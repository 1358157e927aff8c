import FxAudio
package import FxChain
package import FxKit

/// Two sound files compared with each other, with their manifests if both have one.
package struct SoundPair: Sendable {
  package let comparison: Comparison
  private let tolerance: Tolerance
  /// Warnings about the files themselves.
  package let warnings: [String]
  package let names: (expected: String, actual: String)
  package let sounds: (expected: Sound, actual: Sound)
  package let manifests: (then: Manifest, now: Manifest)?

  /// The mistake in the text of a tolerance; nil if it is correct.
  package static func mistake(inTolerance text: String) -> String? {
    do throws(Failure) {
      _ = try Tolerance(text)
      return nil
    } catch {
      return "\(error)"
    }
  }

  /// Reads both; a path may be `-`.
  ///
  /// - Parameter tolerance: the allowed difference, as text.
  /// - Throws: `ChainFailure` of kind `input`, or `request` for the tolerance.
  ///
  /// - Parameter raw: the formats of files without a header.
  package init(
    expected: String, actual: String, tolerance: String,
    raw: (expected: String?, actual: String?) = (nil, nil)
  ) throws(ChainFailure) {
    do throws(Failure) {
      self.tolerance = try Tolerance(tolerance)
    } catch {
      throw ChainFailure(.request, code: .usage, "the tolerance: \(error)")
    }
    names = (expected, actual)
    var warnings: [String] = []
    sounds = (
      try Sound(contentsOfFile: expected, raw: raw.expected, warnings: &warnings),
      try Sound(contentsOfFile: actual, raw: raw.actual, warnings: &warnings)
    )
    self.warnings = warnings
    comparison = Comparison(expected: sounds.expected, actual: sounds.actual)
    if let then = try Self.manifest(beside: expected), let now = try Self.manifest(beside: actual) {
      manifests = (then, now)
    } else {
      manifests = nil
    }
  }

  private static func manifest(beside path: String) throws(ChainFailure) -> Manifest? {
    let testCase = TestCase(name: "", file: "", chain: "", expectation: .sound(path))
    let manifest = testCase.manifestPath
    guard path != "-", WholeFile.exists(manifest) else { return nil }
    return try Manifest(contentsOfFile: manifest)
  }

  /// The manifests' explanation of the difference; empty if the sounds are the same.
  package var findings:
    (environment: [CaseVerdict.EnvironmentChange], divergences: [CaseVerdict.Divergence])
  {
    guard let manifests, comparison.category != .same else { return ([], []) }
    let changes = manifests.now.environment.changes(since: manifests.then.environment)
    return (
      changes,
      manifests.now.fingerprints.divergences(
        from: manifests.then.fingerprints, suspects: Set(changes.compactMap(\.node)))
    )
  }

  package var isWithinTolerance: Bool { comparison.isWithin(tolerance) }

  /// What is different, in sentences.
  package var lines: [String] {
    let (environment, divergences) = findings
    return comparison.lines + [comparison.line(about: tolerance)].compactMap { $0 }
      + divergences.enumerated().map { index, divergence in
        (index == 0 ? "begins at " : "and at ") + divergence.line
      }
      + environment.map {
        "\($0.kind == .chain ? "the chain" : "the environment") differs: \($0.message)"
      }
  }

  package var json: JSONOutput {
    let (environment, divergences) = findings
    var json = comparison.json.with([.init("warnings", .array(warnings.map { .string($0) }))])
    if manifests != nil {
      json = json.with([
        .init("environment", .array(environment.map(\.json))),
        .init("divergences", .array(divergences.map(\.json))),
      ])
    }
    return json.with([
      .init("tolerance", .string(tolerance.description)),
      .init("isWithinTolerance", .bool(isWithinTolerance)),
    ])
  }
}
