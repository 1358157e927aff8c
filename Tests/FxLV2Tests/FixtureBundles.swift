import Foundation
import FxAudio
@testable import FxLV2
import FxTestSupport

/// The test plugins, compiled once a process into a folder of its own.
enum FixtureBundles {
  /// An LV2 search path that holds them and nothing else.
  static let searchPath: String = {
    let folder = temporaryFolder("bundles")
    do {
      for bundle in try FileManager.default.contentsOfDirectory(atPath: sources) {
        guard bundle.hasSuffix(".lv2") else { continue }
        try build(bundle: "\(sources)/\(bundle)", into: "\(folder)/\(bundle)")
      }
    } catch {
      preconditionFailure("the test plugins cannot be built: \(error)")
    }
    return folder
  }()

  private static var sources: String { "\(Fixture.repository)/Tests/Fixtures/bundles" }

  /// A world of the test plugins.
  static func world(log: @escaping LV2LogHandler = LV2LogLine.writeToStandardError) -> LV2World {
    LV2World(searchPath: searchPath, log: log)
  }

  /// An empty folder that is removed when the process ends.
  static func temporaryFolder(_ name: String) -> String {
    let root = "\(NSTemporaryDirectory())fxrun-lv2-tests-\(getpid())"
    atexit {
      try? FileManager.default.removeItem(
        atPath: "\(NSTemporaryDirectory())fxrun-lv2-tests-\(getpid())")
    }
    let folder = "\(root)/\(name)"
    do {
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("no temporary folder: \(error)")
    }
    return folder
  }

  /// Copies a bundle's descriptions and data and compiles each of its C files to a library of that name.
  static func build(bundle: String, into target: String) throws {
    let files = FileManager.default
    try files.createDirectory(atPath: target, withIntermediateDirectories: true)
    for file in try files.contentsOfDirectory(atPath: bundle) {
      if file.hasSuffix(".ttl") || file.hasSuffix(".txt") {
        try files.copyItem(atPath: "\(bundle)/\(file)", toPath: "\(target)/\(file)")
      } else if file.hasSuffix(".c") {
        let library = "\(target)/\(file.dropLast(2)).so"
        try compile("\(bundle)/\(file)", to: library)
      }
    }
  }

  private static func compile(_ source: String, to library: String) throws {
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "cc", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", source, "-o", library, "-lm",
    ]
    try compiler.run()
    compiler.waitUntilExit()
    guard compiler.terminationStatus == 0 else { throw CompilerFailure(source: source) }
  }

  struct CompilerFailure: Error {
    let source: String
  }
}
