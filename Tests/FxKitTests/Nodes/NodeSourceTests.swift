import Foundation
import FxAudio
@testable import FxChain
import FxPlaying
import FxTestSupport
import FxUnits
import Testing

/// The Swift types of units, sources and sinks are generated from their declarations.
struct NodeSourceTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../Sources/FxNodes").standardized

  private static let examples = "../../Tests/FxKitTests/Nodes/EveryUnit.swift"

  /// The files by their path in the folder.
  static let generated: [String: String] = {
    var files: [String: String] = [:]
    for unit in BuiltInUnits.all {
      files["Units/\(UnitSource.fileName(unit.spec))"] = UnitSource.text(unit.spec)
    }
    let sources = EndpointCatalog.all.sources.map(\.spec)
    let sinks = EndpointCatalog.all.sinks.map(\.spec)
    for (specs, type, more) in [
      (sources, "Source", [KeySpec]()),
      (sinks, "Sink", ChainFormat.sink(EndpointCatalog()).keys.filter { $0.key != "comment" }),
    ] {
      for spec in specs {
        files["Endpoints/\(EndpointSource.fileName(spec, of: type))"] =
          EndpointSource.text(spec, of: type, more: more)
      }
      files["Endpoints/\(type)+Choices.swift"] = EndpointSource.choices(specs, of: type)
    }
    files["Endpoints/Region+Keys.swift"] = EndpointSource.region()
    files[examples] = UnitExamples.text(BuiltInUnits.all.map(\.spec))
    return files
  }()

  /// `FXRUN_RECORD=1 swift test --filter NodeSourceTests` writes the files again.
  @Test func `the generated types are those of the declarations`() throws {
    let isRecording = ProcessInfo.processInfo.environment["FXRUN_RECORD"] != nil
    let folders = ["Units", "Endpoints"]
    let present = try folders.flatMap { folder in
      try FileManager.default.contentsOfDirectory(
        atPath: Self.folder.appending(path: folder).path
      ).map { "\(folder)/\($0)" }
    }
    for name in present where Self.generated[name] == nil {
      Issue.record("nothing declares \(name)")
    }
    for (name, text) in Self.generated {
      let file = Self.folder.appending(path: name)
      if isRecording {
        let old = try? String(contentsOf: file, encoding: .utf8)
        if old != text { try text.write(to: file, atomically: true, encoding: .utf8) }
      } else {
        let old = try String(contentsOf: file, encoding: .utf8)
        #expect(old == text, "\(name) is out of date: FXRUN_RECORD=1")
      }
    }
  }
}
