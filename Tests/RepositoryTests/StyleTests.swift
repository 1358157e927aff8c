import Foundation
import Testing

@Suite struct StyleTests {
  @Test func `sources are formatted by swift format`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "swift", "format", "lint", "--strict", "--recursive", "--parallel", "--configuration",
      Repository.root.appending(path: ".swift-format").path,
      Repository.root.appending(path: "Sources").path,
      Repository.root.appending(path: "Tests").path,
      Repository.root.appending(path: "Package.swift").path,
      Repository.root.appending(path: "examples").path,
    ]
    let pipe = Pipe()
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text.prefix(4000))")
  }

  @Test func `files stay short`() throws {
    for source in try Repository.sources(under: "Sources") {
      #expect(source.lines.count <= 400, "\(source.path)")
    }
  }

  @Test func `no file that git tracks is larger than a megabyte`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git", "-C", Repository.root.path, "ls-files", "-z"]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    // A copy without its history is checked where it comes from.
    guard process.terminationStatus == 0 else { return }
    let paths = text.split(separator: "\0")
    #expect(paths.count > 100)
    for path in paths {
      let file = Repository.root.appending(path: String(path))
      let size = try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
      #expect(size <= 1_000_000, "\(path)")
    }
  }

  @Test func `no source has a note about later work`() throws {
    for source in try Repository.sources(under: "Sources") {
      for (index, line) in source.lines.enumerated() {
        #expect(
          line.firstMatch(of: /\b(TODO|FIXME|XXX|HACK)\b/) == nil, "\(source.path):\(index + 1)")
      }
    }
  }

  @Test func `sources have no explicit traps`() throws {
    for source in try Repository.sources(under: "Sources") {
      for (index, line) in source.lines.enumerated() {
        #expect(
          line.firstMatch(of: /\btry!|\bas!|\bfatalError\(/) == nil,
          "\(source.path):\(index + 1): \(line)")
      }
    }
  }
}
