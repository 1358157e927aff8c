import Foundation
import FxTestSupport
import Testing

/// The lists of libraries' functions, `Sources/C…/lib….S`.
struct LibraryTests {
  private struct Library {
    var path: String
    var file = ""
    var isBoundAtOnce = false
    var functions: [Substring] = []

    init(_ source: Repository.Source) {
      path = source.path
      for words in source.lines.map({ $0.split(separator: " ") }) {
        if words.first == "library", words.count > 1 {
          file = words[1].filter { !"\",".contains($0) }
          isBoundAtOnce = words.last == "now"
        } else if words.first == "function", words.count > 1 {
          functions.append(words[1].prefix { $0 != "," })
        }
      }
    }
  }

  private func libraries() throws -> [Library] {
    try Repository.texts(under: "Sources", endings: [".S"]).map(Library.init)
      .filter { !$0.file.isEmpty }
  }

  @Test func `every function that is listed is called`() throws {
    let text = try Repository.texts(under: "Sources").flatMap(\.lines).joined(separator: "\n")
    let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" })
    for library in try libraries() where !library.path.contains("CTags") {
      #expect(!library.functions.isEmpty)
      for function in library.functions {
        #expect(words.contains(function), "\(library.path) lists \(function)")
      }
    }
  }

  @Test func `functions that a render thread calls are bound at load time`() throws {
    let bound = try libraries().filter(\.isBoundAtOnce).map(\.file).sorted()
    #expect(bound == ["libasound.so.2", "libsoxr.so.0", "libspeexdsp.so.1"])
  }

  /// The system's loader lists what it would load.
  @Test(.enabled(if: BuiltProgram.isNamed, "FXRUN_BINARY names no release build"))
  func `the program starts without the listed libraries`() throws {
    let loaded = try BuiltProgram.run(
      BuiltProgram.fxrun, [], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]
    ).text
    #expect(loaded.contains("libc.so.6"))
    for library in try libraries() {
      #expect(!loaded.contains(library.file), "\(library.file) is loaded at the start")
    }
  }

  @Test func `a library that cannot be loaded is named`() throws {
    let folder = TemporaryFolder()
    _ = folder.write("libmpg123.so.0", [])
    let chain = folder.write("a.json", Array(#"{ "version": 1, "chain": [] }"#.utf8))
    let sound = Repository.root.appending(path: "Tests/Fixtures/audio/voice.mp3").path
    let result = try BuiltProgram.run(
      BuiltProgram.fxrun, [chain, sound, "-o", folder.file("a.wav")],
      environment: ["LD_LIBRARY_PATH": folder.url.path])
    #expect(result.status == 127)
    #expect(result.text.hasPrefix("error: "))
    #expect(result.text.contains("libmpg123.so.0: file too short"))
    #expect(folder.names == ["a.json", "libmpg123.so.0"])
  }

  /// Tags are written last, when the sound is.
  @Test func `nothing is left of an output when a library cannot be loaded`() throws {
    let folder = TemporaryFolder()
    _ = folder.write("libtag.so.1", [])
    let chain = folder.write(
      "a.json",
      Array(
        #"""
        { "version": 1, "connections": ["in -> out"],
          "nodes": { "in": { "source": { "signal": "impulse", "duration": "0.1 s" } },
                     "out": { "sink": "main" } } }
        """#.utf8))
    let result = try BuiltProgram.run(
      BuiltProgram.fxrun,
      [chain, "-o", folder.file("a.flac"), "--tag", "title=Noise"],
      environment: ["LD_LIBRARY_PATH": folder.url.path])
    #expect(result.status == 127)
    #expect(result.text.contains("libtag.so.1: file too short"))
    #expect(folder.names == ["a.json", "libtag.so.1"])
  }
}
