extension SoundPair {
  /// The page that shows the comparison.
  package var report: DifferenceReport {
    func fileName(_ path: String) -> String {
      path.split(separator: "/").last.map(String.init) ?? path
    }
    return DifferenceReport(
      title: "\(fileName(names.expected)) and \(fileName(names.actual))", lines: lines,
      outputs: [
        .init(
          name: "main", expected: sounds.expected, actual: sounds.actual, comparison: comparison)
      ],
      nodes: manifests.map {
        .init(
          then: $0.then.fingerprints, now: $0.now.fingerprints, divergences: findings.divergences)
      })
  }
}
