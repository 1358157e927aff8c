import Foundation
import FxTestSupport
import Testing

/// The rules of real-time code that no compiler checks, read from the sources.
@Suite struct RealtimeRuleTests {
  private let temporary = TemporaryFolder()

  static let sources = try? Repository.sources(under: "Sources")

  @Test func `everything below the mark carries the annotation`() throws {
    for source in try Repository.sources(under: "Sources") {
      for line in RealtimeReader(source.lines).unannotated {
        Issue.record("\(source.path):\(line + 1): \(source.lines[line])")
      }
    }
  }

  @Test func `a seeded omission is found`() {
    let lines = """
      struct Unit {
        init() {}

        // MARK: - Realtime

        @_noLocks
        func render() {}

        func forgotten() {}

        var value: Int { 1 }

        var checked: Int {
          @_noLocks get { 1 }
        }
      }
      """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    #expect(RealtimeReader(lines).unannotated == [8, 10])
  }

  @Test(arguments: Repository.realtimeFolders)
  func `a folder of real-time code imports nothing that may wait`(_ folder: String) throws {
    let allowed: Set = [
      "FxAudio", "FxUnits", "FxEngine", "CRealtime", "CKernels", "CSpeexDSP", "Synchronization",
    ]
    for source in try Repository.sources(under: "Sources/\(folder)") {
      for line in source.lines {
        guard
          let imported = line.firstMatch(
            of: /^(?:package |public |@\w+ )*import (?:struct |func )?(\w+)/)
        else { continue }
        #expect(allowed.contains(String(imported.1)), "\(source.path): \(line)")
      }
    }
  }

  @Test func `every exception from the checker has a reason`() throws {
    var fences: [String: Int] = [:]
    for source in try Repository.sources(under: "Sources") {
      for (index, line) in source.lines.enumerated() {
        guard line.contains("_unsafePerformance") || line.contains("no_performance_analysis"),
          !line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        else { continue }
        fences[source.path, default: 0] += 1
        let above = source.lines[max(0, index - 4)..<index]
        #expect(above.contains { $0.contains("//") }, "\(source.path):\(index + 1) has no reason")
      }
    }
    #expect(
      fences == [
        "Sources/FxEngine/Program/Rendering/NodeCall.swift": 4,
        "Sources/FxAudio/Units/KernelCell.swift": 3,
      ])
  }

  /// The annotation is underscored. This test fails if a compiler no longer checks it.
  @Test func `the compiler refuses an allocation below the mark`() throws {
    let folder = temporary.url
    func compile(_ body: String) throws -> (status: Int32, text: String) {
      let file = folder.appending(path: "probe.swift")
      try "@_noLocks func render(_ count: Int) -> Int { \(body) }".write(
        to: file, atomically: true, encoding: .utf8)
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["swiftc", "-parse-as-library", "-c", "-o", "/dev/null", file.path]
      let pipe = Pipe()
      process.standardError = pipe
      try process.run()
      let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      return (process.terminationStatus, text)
    }
    #expect(try compile("count + 1").status == 0)
    let refused = try compile("[Int](repeating: 0, count: count).count")
    #expect(refused.status != 0)
    #expect(refused.text.contains("can cause lock"))
  }
}
