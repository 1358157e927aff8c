package import FxDiagnostics
package import FxAnalysis
package import FxKit

/// Two sound files held against each other, with their manifests where both have one beside them.
package struct SoundPair: Sendable {
  package let comparison: Comparison
  /// What there is to say of the files themselves.
  package let warnings: [String]
  private let names: (expected: String, actual: String)
  private let sounds: (expected: Sound, actual: Sound)
  private let manifests: (then: Manifest, now: Manifest)?

  /// Reads both; a path may be `-`.
  ///
  /// - Throws: `ChainFailure` of kind `input`.
  package init(expected: String, actual: String) throws(ChainFailure) {
    names = (expected, actual)
    var warnings: [String] = []
    sounds = (
      try Sound(contentsOfFile: expected, warnings: &warnings),
      try Sound(contentsOfFile: actual, warnings: &warnings)
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

  /// What the manifests tell of the difference; empty for sounds that are the same.
  private var findings:
    (environment: [CaseVerdict.EnvironmentChange], divergences: [CaseVerdict.Divergence])
  {
    guard let manifests, comparison.category != .same else { return ([], []) }
    let changes = manifests.now.environment.changes(since: manifests.then.environment)
    return (
      changes,
      manifests.now.prints.divergences(
        from: manifests.then.prints, suspects: Set(changes.compactMap(\.node)))
    )
  }

  /// What is different, in sentences.
  package func lines(_ tolerance: Tolerance) -> [String] {
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
    let sound = comparison.json.with([.init("warnings", .array(warnings.map { .string($0) }))])
    guard manifests != nil else { return sound }
    return sound.with([
      .init("environment", .array(environment.map(\.json))),
      .init("divergences", .array(divergences.map(\.json))),
    ])
  }

  /// The page that shows it.
  package func report(_ tolerance: Tolerance) -> DifferenceReport {
    func fileName(_ path: String) -> String {
      path.split(separator: "/").last.map(String.init) ?? path
    }
    return DifferenceReport(
      title: "\(fileName(names.expected)) and \(fileName(names.actual))", lines: lines(tolerance),
      outputs: [
        .init(
          name: "main", expected: sounds.expected, actual: sounds.actual, comparison: comparison)
      ],
      nodes: manifests.map {
        .init(then: $0.then.prints, now: $0.now.prints, divergences: findings.divergences)
      })
  }
}
