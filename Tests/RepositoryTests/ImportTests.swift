import Foundation
import Testing

/// A target imports what Package.swift declares for it, and Package.swift declares no more: the
/// package manager lets a target import whatever its dependencies depend on.
@Suite struct ImportTests {
  static let targets: [Target] = {
    let manifest = Repository.root.appending(path: "Package.swift")
    return Target.all(in: (try? String(contentsOf: manifest, encoding: .utf8)) ?? "")
  }()

  @Test func `every folder of sources is a target`() throws {
    let folders = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appending(path: "Sources").path)
    let names = Set(Self.targets.map(\.name))
    // Folders of C have names that begin with it.
    for folder in folders where folder.hasPrefix("Fx") || folder == "fxrun" {
      #expect(names.contains(folder), "\(folder)")
    }
    #expect(names.count == Self.targets.count)
  }

  @Test(arguments: targets)
  func `a target imports what it declares`(_ target: Target) throws {
    let sources = try Repository.sources(under: target.folder)
    if sources.isEmpty { return try checkIncludes(of: target) }
    for (path, module) in target.undeclaredImports(sources) {
      Issue.record("\(path): \(module) is no dependency of \(target.name) in Package.swift")
    }
    let unused = target.unusedDependencies(sources)
    #expect(unused.isEmpty, "\(target.name) imports none of \(unused)")
  }

  /// Boundaries that carry fewer than three types, and why they stay.
  private static let thin = [
    "FxChecks FxLV2": "plugins of a compiled chain are read through their descriptions",
    "FxTesting FxChain": "a golden is recorded with its environment as JSON",
    "FxImport FxEngine": "an export reads the units of a compiled graph",
    "FxTesting FxAudio": "a rendering has channels and the level of silence",
    "FxPlaying FxUnits": "a source plays a test signal",
    "FxTesting FxUnits": "a rendering takes a test signal as its input",
    "FxUnitTesting FxUnitRendering": "a unit of a user is rendered as the built-in ones are",
    "FxNodes FxUnits": "an edit of a graph asks whether the inputs of a unit have names",
    "FxRun FxEngine": "a batch asks the compiled graph for its sources and sinks",
  ]

  /// A module that takes one or two types of another is on the wrong side of the boundary.
  @Test func `a module takes at least three types of each module that it imports`() throws {
    let modules = Self.targets.filter { $0.folder.hasPrefix("Sources/Fx") }
    var types: [String: Set<Substring>] = [:]
    var words: [String: Set<Substring>] = [:]
    for module in modules {
      let lines = try Repository.sources(under: module.folder).flatMap(\.lines)
      types[module.name] = Set(lines.compactMap(Self.declaredType))
      words[module.name] = Set(
        lines.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" } })
    }
    for module in modules {
      for dependency in module.dependencies.sorted() {
        guard let own = types[module.name], let theirs = types[dependency] else { continue }
        let taken = theirs.subtracting(own).intersection(words[module.name] ?? [])
        let isThin = Self.thin["\(module.name) \(dependency)"] != nil
        #expect(
          isThin == (taken.count < 3),
          "\(module.name) takes \(taken.sorted()) of \(dependency); name the reason, move them, or take the reason away"
        )
      }
    }
  }

  /// The name of a type that a line declares for other modules. Nested types have common names.
  private static func declaredType(_ line: String) -> Substring? {
    let words = line.split(separator: " ")
    guard line.first != " ", let access = words.first, access == "package" || access == "public",
      let keyword = words.firstIndex(where: {
        ["struct", "class", "enum", "protocol"].contains($0)
      }),
      keyword + 1 < words.count
    else { return nil }
    return words[keyword + 1].prefix { $0.isLetter || $0.isNumber }
  }

  /// A target of C includes a header of each target that it declares.
  private func checkIncludes(of target: Target) throws {
    let lines = try Repository.texts(under: target.folder, endings: [".c", ".cpp", ".h"])
      .flatMap(\.lines)
    for dependency in target.dependencies {
      let headers = try FileManager.default.contentsOfDirectory(
        atPath: Repository.root.appending(path: "Sources/\(dependency)/include").path)
      #expect(
        headers.contains { lines.contains("#include \"\($0)\"") },
        "\(target.name) includes no header of \(dependency)")
    }
  }

  @Test func `a seeded import that is not declared is found`() throws {
    let manifest = """
      .target(name: "FxOne", dependencies: ["FxTwo", "CThree"]),
      .executableTarget(
        name: "tool",
        dependencies: ["FxOne", .product(name: "Parser", package: "swift-parser")],
        path: "Tests/Tool"),
      .target(name: "FxTwo"),
      """
    let targets = Target.all(in: manifest)
    #expect(targets.map(\.name) == ["FxOne", "tool", "FxTwo"])
    #expect(targets[1].dependencies == ["FxOne", "Parser"])
    #expect(targets[1].folder == "Tests/Tool")
    let source = Repository.Source(
      path: "a.swift",
      lines: [
        "package import FxTwo", "import Glibc", "import struct FxFour.Thing", "// import FxFive",
        "@testable import CThree", "let script = \"\"\"", "  import json",
      ])
    let undeclared = targets[0].undeclaredImports([source])
    #expect(undeclared.map(\.module) == ["FxFour"])
    #expect(targets[0].unusedDependencies([source]).isEmpty)
    #expect(targets[1].unusedDependencies([source]) == ["FxOne", "Parser"])
  }
}

/// A target of Package.swift, as far as imports go.
struct Target: CustomTestStringConvertible, Sendable {
  let name: String
  let dependencies: Set<String>
  let folder: String

  var testDescription: String { name }

  /// Modules that come with the compiler.
  private static let system: Set = [
    "Dispatch", "Foundation", "FoundationXML", "Glibc", "Synchronization", "Testing", "XCTest",
  ]

  /// Targets that tests start as programs.
  private static let programs: Set = ["fxrun", "PluginHost", "RealtimeProbe"]

  static func all(in manifest: String) -> [Target] {
    let pieces = manifest.matches(of: /\.(target|executableTarget|testTarget)\(\s*name:/)
    return pieces.indices.compactMap { index in
      let start = pieces[index].range.lowerBound
      let end =
        index + 1 < pieces.count ? pieces[index + 1].range.lowerBound : manifest.endIndex
      let text = manifest[start..<end]
      guard let name = text.firstMatch(of: /name:\s*"(\w+)"/).map({ String($0.1) }) else {
        return nil
      }
      let list = text.firstMatch(of: /dependencies:\s*\[((?:[^\[\]])*)\]/).map { $0.1 } ?? ""
      let words = list.replacing(/package:\s*"[^"]*"/, with: "").matches(of: /"(\w+)"/)
      let path = text.firstMatch(of: /path:\s*"([^"]*)"/).map { String($0.1) }
      let isTest = pieces[index].1 == "testTarget"
      return Target(
        name: name, dependencies: Set(words.map { String($0.1) }),
        folder: path ?? "\(isTest ? "Tests" : "Sources")/\(name)")
    }
  }

  private static func imports(_ source: Repository.Source) -> [String] {
    source.lines.compactMap { line in
      // Words rather than an expression, which takes minutes over all sources.
      guard let first = line.utf8.first, "ip@".utf8.contains(first) else { return nil }
      let words = line.split(separator: " ")
      guard let index = words.prefix(3).firstIndex(of: "import"), index + 1 < words.count else {
        return nil
      }
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let"]
      let name = kinds.contains(words[index + 1]) ? words.last : words[index + 1]
      return name?.split(separator: ".").first.map {
        LibraryMap.modules.contains(String($0)) ? "CLibraries" : String($0)
      }
    }
  }

  func undeclaredImports(_ sources: [Repository.Source]) -> [(path: String, module: String)] {
    sources.flatMap { source in
      Self.imports(source).filter { module in
        module != name && !dependencies.contains(module) && !Self.system.contains(module)
      }.map { (source.path, $0) }
    }
  }

  func unusedDependencies(_ sources: [Repository.Source]) -> [String] {
    let imported = Set(sources.flatMap(Self.imports))
    return dependencies.subtracting(imported).subtracting(Self.programs).sorted()
  }
}
