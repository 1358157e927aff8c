import Foundation
import FxTestSupport

/// Builds of `Tests/Fixtures/own.lv2`: a plugin that somebody develops.
enum OwnPlugin {
  static let uri = "urn:fxrun:test:own"
  private static let source = "\(Fixture.tests)/Fixtures/own.lv2"

  /// Builds it as `own.lv2` in a folder of bundles; `switches` are those of the C file.
  static func build(in folder: String, _ switches: String...) throws {
    let bundle = "\(folder)/own.lv2"
    try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
    let outcome = try Program.run(
      ["cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror"] + switches.map { "-D\($0)" }
        + ["\(source)/own.c", "-o", "\(bundle)/own.so"],
      executable: "/usr/bin/env")
    guard outcome.exitCode == 0 else { throw ProgramFailure(outcome.errorText) }
    for name in ["manifest.ttl", "own.ttl"] {
      let text = try Data(contentsOf: URL(filePath: "\(source)/\(name)"))
      try text.write(to: URL(filePath: "\(bundle)/\(name)"))
    }
  }
}
