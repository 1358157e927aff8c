import Foundation
import FxTestSupport
import Testing

/// The libraries that fxrun is linked to, `Sources/CLibraries/module.modulemap`.
struct LibraryTests {
  /// Libraries that need not be installed.
  private static let optional = ["libcurl", "libmysofa", "libsystemd"]

  @Test func `every module of a library is imported`() throws {
    let lines = try Repository.texts(under: "Sources").flatMap(\.lines)
    let imported = Set(
      lines.filter { $0.contains("import C") }.map { $0.split(separator: " ").last })
    #expect(!LibraryMap.modules.isEmpty)
    for module in LibraryMap.modules {
      #expect(imported.contains(Substring(module)), "nothing imports \(module)")
    }
  }

  /// The system's loader lists what it would load.
  @Test func `the program is linked to the libraries of the map and not to the optional ones`()
    throws
  {
    let loaded = try BuiltProgram.run(
      BuiltProgram.fxrun, [], environment: ["LD_TRACE_LOADED_OBJECTS": "1"]
    ).text
    #expect(LibraryMap.links.count >= LibraryMap.modules.count)
    for library in LibraryMap.links + ["tag", "z"] {
      // A name may have a version before `.so`, as libyaml-0.so.2 has.
      #expect(
        loaded.contains("lib\(library).so") || loaded.contains("lib\(library)-"),
        "\(library) is not linked")
    }
    for library in Self.optional {
      #expect(!loaded.contains("\(library)."), "\(library) is loaded at the start")
    }
  }

  @Test func `a library that cannot be loaded is named, and nothing is written`() throws {
    let folder = TemporaryFolder()
    _ = folder.write("libmpg123.so.0", [])
    let result = try BuiltProgram.run(
      BuiltProgram.fxrun,
      [
        "none", Repository.root.appending(path: "Tests/Fixtures/audio/voice.mp3").path, "-o",
        folder.file("a.wav"),
      ],
      environment: ["LD_LIBRARY_PATH": folder.url.path])
    #expect(result.status == 127)
    #expect(result.text.contains("libmpg123.so.0: file too short"))
    #expect(folder.names == ["libmpg123.so.0"])
  }

  @Test func `without libcurl, files are rendered and an address is an error with a remedy`() throws
  {
    let folder = TemporaryFolder()
    for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] { _ = folder.write(name, []) }
    func render(_ input: String) throws -> (status: Int32, text: String) {
      let result = try BuiltProgram.run(
        BuiltProgram.fxrun, ["none", input, "-o", folder.file("a.wav")],
        environment: ["LD_LIBRARY_PATH": folder.url.path])
      return (result.status, result.text)
    }
    let failed = try render("http://127.0.0.1:1/a.mp3")
    #expect(failed.status == 4)
    #expect(failed.text.contains("apt install libcurl4"))
    let voice = Repository.root.appending(path: "Tests/Fixtures/audio/voice.mp3").path
    #expect(try render(voice).status == 0)
  }

  @Test func `without libmysofa, a SOFA file is an error with a remedy`() throws {
    let folder = TemporaryFolder()
    _ = folder.write("libmysofa.so.1", [])
    // The signature of HDF5, the container of SOFA.
    _ = folder.write(
      "ears.sofa", [0x89, 0x48, 0x44, 0x46, 13, 10, 26, 10] + [UInt8](repeating: 0, count: 100))
    let chain = folder.write(
      "a.json",
      Array(#"{ "version": 1, "chain": [{ "unit": "spatial", "hrtf": "ears.sofa" }] }"#.utf8))
    let result = try BuiltProgram.run(
      BuiltProgram.fxrun,
      [
        chain, Repository.root.appending(path: "Tests/Fixtures/audio/voice.mp3").path, "-o",
        folder.file("a.wav"),
      ],
      environment: ["LD_LIBRARY_PATH": folder.url.path])
    #expect(result.status != 0)
    #expect(result.text.contains("libmysofa1"), "\(result.text)")
  }
}

/// The modules of `Sources/CLibraries`, and the libraries that they link.
enum LibraryMap {
  private static let words: [Substring] = {
    let map = Repository.root.appending(path: "Sources/CLibraries/module.modulemap")
    let text = (try? String(contentsOf: map, encoding: .utf8)) ?? ""
    return text.split { " \n\"".contains($0) }
  }()

  static let modules = after("module")
  static let links = after("link")

  private static func after(_ keyword: Substring) -> [String] {
    zip(words, words.dropFirst()).filter { $0.0 == keyword && $0.1.first?.isLetter == true }
      .map { String($0.1) }
  }
}
