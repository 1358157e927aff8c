import Foundation
import FxTestSupport

/// LV2 plugins for these tests, compiled once per process.
enum TestPlugins {
  /// Sets `LV2_PATH` so that only these plugins are found.
  static let environment = ["LV2_PATH": folder]

  private static let root = "\(NSTemporaryDirectory())fxrun-cli-plugins-\(getpid())"

  static let folder: String = {
    atexit { try? FileManager.default.removeItem(atPath: TestPlugins.root) }
    do {
      let bundles = "\(Fixture.tests)/Fixtures/bundles"
      for name in try FileManager.default.contentsOfDirectory(atPath: bundles)
      where name.hasSuffix(".lv2") {
        try build("\(bundles)/\(name)")
      }
      try build("\(Fixture.repository)/plugins/fxrun-saturator.lv2")
    } catch {
      preconditionFailure("the test plugins cannot be built: \(error)")
    }
    return root
  }()

  /// Copies a bundle's descriptions and data, and compiles each C file to a library of its name.
  private static func build(_ bundle: String) throws {
    let files = FileManager.default
    let target = "\(root)/\(URL(filePath: bundle).lastPathComponent)"
    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
    for file in try files.contentsOfDirectory(atPath: bundle) {
      if file.hasSuffix(".ttl") || file.hasSuffix(".txt") {
        try files.copyItem(atPath: "\(bundle)/\(file)", toPath: "\(target)/\(file)")
      } else if file.hasSuffix(".c") {
        let outcome = try Program.run(
          [
            "cc", "-shared", "-fPIC", "-O1", "\(bundle)/\(file)",
            "-o", "\(target)/\(file.dropLast(2)).so", "-lm",
          ], executable: "/usr/bin/env")
        guard outcome.exitCode == 0 else { throw ProgramFailure(outcome.errorText) }
      }
    }
  }
}
