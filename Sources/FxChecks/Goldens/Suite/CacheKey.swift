import FxAudio
import FxKit

/// A word that changes when a suite's outcome may change; for caches in CI.
package enum CacheKey {
  /// SHA-256 in hexadecimal over the case files, the chains with their included chains, the inputs,
  /// the goldens and fxrun's version.
  ///
  /// A missing file has its own value. Of a chain that cannot be read, only its text counts.
  package static func key(of cases: [SuiteCase]) -> String {
    var files: Set<String> = []
    for testCase in cases.map(\.testCase) {
      files.formUnion([testCase.file, testCase.manifestPath])
      files.formUnion(chainFiles(testCase))
      for case .file(let path) in testCase.inputs.values { files.insert(path) }
      if let manifest = try? Manifest(contentsOfFile: testCase.manifestPath) {
        files.formUnion(manifest.outputs.compactMap { testCase.soundPath(ofOutput: $0.name) })
      }
    }
    let names = cases.map(\.testCase).map { "\($0.file) \($0.name)" }.sorted()
    let lines =
      ["fxrun \(Release.version)"] + names
      + files.sorted().map { "\($0) \(SHA256.digest(ofFile: $0) ?? "none")" }
    return SHA256.digest(of: lines.joined(separator: "\n"))
  }

  private static func chainFiles(_ testCase: TestCase) -> [String] {
    do throws(ChainFailure) {
      return try Chain(contentsOfFile: testCase.chain, variables: testCase.variables).files()
    } catch {
      return [testCase.chain]
    }
  }
}
