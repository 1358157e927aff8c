import Foundation
import FxTestSupport
import Testing

/// Compares the documents and the example chains with the program.
@Suite struct DocsTests {
  private let temporary = TemporaryFolder()

  @Test func `generated documents are what the program prints`() throws {
    for (path, arguments) in [
      ("docs/units.md", ["units", "--markdown"]),
      ("docs/completions/fxrun.bash", ["--generate-completion-script", "bash"]),
      ("docs/completions/_fxrun", ["--generate-completion-script", "zsh"]),
      ("docs/completions/fxrun.fish", ["--generate-completion-script", "fish"]),
    ] {
      #expect(
        try Document(path).text == BuiltProgram.output(arguments),
        "\(path): run scripts/docs")
    }
    let page = try BuiltProgram.run(
      URL(filePath: "/bin/sh"),
      [
        "-c", "\"$0\" --experimental-dump-help | \"$1\" \"$(\"$0\" --version)\"",
        BuiltProgram.fxrun.path, Repository.root.appending(path: "scripts/man-page").path,
      ])
    #expect(try Document("docs/man/fxrun.1").text == page.text, "run scripts/docs")
  }

  @Test func `files and folders that CONTRIBUTING names exist`() throws {
    let paths = try Document("CONTRIBUTING.md").text.matches(
      of: /`((Sources|Tests|scripts)\/[\w\/.+-]+)`/
    )
    .map { String($0.1) }
    #expect(paths.count > 15)
    for path in paths {
      #expect(
        FileManager.default.fileExists(atPath: Repository.root.appending(path: path).path),
        "\(path)")
    }
  }

  @Test(.enabled(if: BuiltProgram.isNamed, "drawing takes long in a debug build"))
  func `pictures of units are drawn by the command below them`() throws {
    let commands = try Document("docs/units.md").text.matches(of: /\n`(fxrun plot (\w+)[^`\n]*)`\n/)
    #expect(commands.count > 12)
    for command in commands {
      let path = "docs/plots/\(command.2).svg"
      let drawn = try BuiltProgram.run(
        URL(filePath: "/bin/sh"),
        ["-c", "fxrun() { \"$0\" \"$@\"; }; \(command.1) -o -", BuiltProgram.fxrun.path])
      let kept = try Document(path).text
      #expect(kept == drawn.text, "\(path): run scripts/docs")
      #expect(kept.utf8.count < 20000, "\(path) is large")
    }
  }

  @Test func `every unit has a page`() throws {
    let page = try Document("docs/units.md").text
    for section in page.components(separatedBy: "\n## ").dropFirst() {
      let lines = section.split(separator: "\n")
      // The name, the summary, and when to use it.
      let usage = lines.count > 2 ? lines[2] : ""
      #expect(
        usage.count > 30 && !usage.hasPrefix("|"),
        "\(lines[0]): add when to use it to Sources/FxUnits/Units/UnitPages.swift")
    }
  }

  @Test func `every link leads somewhere`() throws {
    for document in try Document.all {
      for link in document.links {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].isEmpty ? document.path : document.folder + parts[0]
        let file = Repository.root.appending(path: path)
        guard FileManager.default.fileExists(atPath: file.path) else {
          Issue.record("\(document.path): \(link) leads nowhere")
          continue
        }
        guard parts.count == 2, path.hasSuffix(".md") else { continue }
        let anchors = try Document(path).anchors
        #expect(anchors.contains(String(parts[1])), "\(document.path): no heading for \(link)")
      }
    }
  }

  @Test func `commands and options in the documents exist`() throws {
    let commands = try BuiltProgram.options()
    let everywhere = commands.values.reduce(into: Set<String>()) { $0.formUnion($1) }
    var count = 0
    for document in try Document.all {
      for command in document.commands {
        count += 1
        let words = command.split(separator: " ").dropFirst().map(String.init)
        let name = words.first.flatMap { commands[$0] == nil ? nil : $0 } ?? "run"
        // `none` is a chain.
        if let first = words.first, first.allSatisfy(\.isLowercase), !first.isEmpty, first != "none"
        {
          #expect(commands[first] != nil, "\(document.path): \(command)")
        }
        // A negative number is a value.
        for option in words
        where option.hasPrefix("-") && option != "-" && Double(option) == nil {
          let option = String(option.prefix { $0 != "=" })
          #expect(
            commands[name]?.contains(option) == true, "\(document.path): \(option) in \(command)")
        }
      }
      for option in document.options {
        #expect(everywhere.contains(option), "\(document.path): \(option)")
      }
    }
    #expect(count > 40)
  }

  @Test func `plans in the documents are as printed`() throws {
    let folder = temporary.url
    for (chain, document, name) in [
      ("README.md", "docs/command-line.md", "voice.json"),
      ("docs/design.md", "docs/design.md", "parallel.json"),
    ] {
      let file = folder.appending(path: name)
      let text = try #require(try Document(chain).blocks(in: "json").first)
      try text.write(to: file, atomically: true, encoding: .utf8)
      let plan = try BuiltProgram.output(["plan", file.path])
      #expect(try Document(document).text.contains("$ fxrun plan \(name)\n\(plan)```\n"), "\(plan)")
    }
  }

  @Test func `the exit codes in the documents are those of the help`() throws {
    let help = try BuiltProgram.output(["--help"])
    let status = try #require(help.components(separatedBy: "EXIT STATUS:\n").last)
    let table = try Document("docs/command-line.md").text.matches(of: /\n\| (\d+) \|/)
      .map { String($0.1) }
    let codes = status.matches(of: /(?m)^[ ]+(\d+)[ ]/).map { String($0.1) }
    #expect(table == codes && codes.count > 5)
  }

  @Test func `quoted Swift is in a test`() throws {
    for (page, test, count) in [
      ("library", "WorkedExampleTests", 9), ("chains-in-code", "Graphs/CodeExampleTests", 6),
      ("engine", "Engine/EngineExampleTests", 4),
    ] {
      let source = try Document("Tests/FxKitTests/\(test).swift").text
      let blocks = try Document("docs/\(page).md").blocks(in: "swift")
        .filter { !$0.hasPrefix("// Package.swift") }
      #expect(blocks.count == count)
      for block in blocks { #expect(source.contains(block), "\(block)") }
    }
  }

  @Test func `the page about units of one's own shows the example package`() throws {
    let source = try [
      "Sources/MyUnits/Hold.swift", "Sources/MyUnits/Click.swift", "Sources/myplayer/main.swift",
      "Tests/MyUnitsTests/MyUnitsTests.swift",
    ].map { try Document("examples/MyUnits/\($0)").text }
    let blocks = try Document("docs/own-units.md").blocks(in: "swift")
      .filter { !$0.hasPrefix("// Package.swift") }
    #expect(blocks.count == source.count)
    for block in blocks { #expect(source.contains { $0.contains(block) }, "\(block)") }
  }

  @Test func `the code of the tutorials stands in the example packages`() throws {
    let sources =
      try [
        "Karaoke/Sources/Karaoke", "RadioPlayer/Sources/RadioPlayer", "Voice/Sources/Voice",
        "MyUnits/Sources/myplayer",
      ].map { try Document("examples/\($0)/main.swift").text }
      + [
        Document("examples/MyUnits/Sources/MyUnits/Hold.swift").text,
        Document("examples/MyUnits/Tests/MyUnitsTests/MyUnitsTests.swift").text,
      ]
    for name in ["FirstRender", "RadioPlayer", "KaraokeBox", "OwnUnit"] {
      let blocks = try Document("Sources/FxTesting/FxTesting.docc/\(name).md").blocks(in: "swift")
        .filter { $0.count > 200 && !$0.hasPrefix("// Package.swift") }
      #expect(!blocks.isEmpty, "\(name)")
      for block in blocks { #expect(sources.contains { $0.contains(block) }, "\(name): \(block)") }
    }
  }

  @Test func `JSON in the documents is JSON`() throws {
    for path in ["README.md", "docs/lv2.md", "docs/design.md"] {
      let blocks = try Document(path).blocks(in: "json")
      #expect(!blocks.isEmpty, "\(path)")
      for block in blocks {
        #expect(throws: Never.self, "\(path): \(block)") {
          try JSONSerialization.jsonObject(with: Data(block.utf8))
        }
      }
    }
  }
}

/// A text of the checkout.
struct Document {
  let path: String
  let text: String

  init(_ path: String) throws {
    self.path = path
    text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
  }

  /// Every Markdown file that people read.
  static var all: [Document] {
    get throws {
      let names = FileManager.default.enumerator(atPath: Repository.root.path)
      var documents: [Document] = []
      while let name = names?.nextObject() as? String {
        // Skips the build products of the examples, too.
        if name.split(separator: "/").last?.hasPrefix(".") == true || name == "out" {
          names?.skipDescendants()
        } else if name.hasSuffix(".md") {
          documents.append(try Document(name))
        }
      }
      return documents
    }
  }

  /// The folder with a slash at its end, empty for the root.
  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "" }
    return String(path[...slash])
  }

  /// Targets of links within the checkout.
  var links: [String] {
    text.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }.filter { !$0.contains("://") }
  }

  /// The link targets of headings, as GitHub makes them.
  var anchors: Set<String> {
    Set(
      text.split(separator: "\n").filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacing(" ", with: "-")
      })
  }

  /// Code blocks in a language, without their fences.
  func blocks(in language: String) -> [String] {
    text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "```").first
    }
  }

  /// Command lines that begin with `fxrun`: in code blocks by line, in the text between backticks.
  var commands: [String] {
    var commands: [String] = []
    var isCode = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        isCode.toggle()
        continue
      }
      if isCode {
        let line = line.hasPrefix("$ ") ? line.dropFirst(2) : line
        for part in line.split(separator: " | ") where part.hasPrefix("fxrun ") {
          commands.append(Document.words(part))
        }
      } else {
        commands += line.matches(of: /`(fxrun [^`]*)`/).map { Document.words($0.1) }
      }
    }
    return commands
  }

  /// A command without its comment, its quoted values and its redirection.
  private static func words(_ text: Substring) -> String {
    String(text.prefix { $0 != "#" && $0 != ">" && $0 != "|" })
      .replacing(/'[^']*'/, with: "VALUE").split(separator: "  ").first.map(String.init) ?? ""
  }

  /// Long options in backticks at their beginning, as tables of options have them.
  var options: [String] {
    guard path == "docs/command-line.md" else { return [] }
    return text.matches(of: /`(--[a-z-]+)/).map { String($0.1) }
  }
}

extension BuiltProgram {
  /// The output of fxrun.
  static func output(_ arguments: [String]) throws -> String { try run(fxrun, arguments).text }

  /// Every command's options, hidden ones included.
  static func options() throws -> [String: Set<String>] {
    let help = try JSONSerialization.jsonObject(
      with: Data(output(["--experimental-dump-help"]).utf8))
    let root = try #require((help as? [String: Any])?["command"] as? [String: Any])
    var commands: [String: Set<String>] = [:]
    for case let command as [String: Any] in root["subcommands"] as? [Any] ?? [] {
      guard let name = command["commandName"] as? String else { continue }
      commands[name] = options(of: command).union(["--help", "-h", "--version"])
    }
    return commands
  }

  /// The options of a command and of all its subcommands.
  private static func options(of command: [String: Any]) -> Set<String> {
    var options: Set<String> = []
    for case let argument as [String: Any] in command["arguments"] as? [Any] ?? [] {
      for case let spelling as [String: Any] in argument["names"] as? [Any] ?? [] {
        guard let option = spelling["name"] as? String else { continue }
        options.insert((spelling["kind"] as? String == "short" ? "-" : "--") + option)
      }
    }
    for case let inner as [String: Any] in command["subcommands"] as? [Any] ?? [] {
      options.formUnion(self.options(of: inner))
    }
    return options
  }
}
