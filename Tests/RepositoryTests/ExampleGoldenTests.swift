import Foundation
import FxTestSupport
import Testing

/// The example chains render the same bits as before, with every build and instruction set.
@Suite struct ExampleGoldenTests {
  private let temporary = TemporaryFolder()

  /// A build, and the instruction set that it may use.
  struct Rendering: CustomTestStringConvertible, Sendable {
    var program: URL
    var processor: String
    var blockSize: Int?

    var testDescription: String {
      "\(program.pathComponents.contains("debug") ? "debug" : "release"), \(processor)"
        + (blockSize.map { ", blocks of \($0)" } ?? "")
    }
  }

  /// Narrower instruction sets than the processor's can be requested; wider ones fall back to its.
  static let renderings: [Rendering] = {
    let debug = BuiltProgram.folder.appending(path: "fxrun")
    let whole = ["baseline", "avx2", "avx512"].map {
      Rendering(program: BuiltProgram.fxrun, processor: $0)
    }
    let blocks = [1, 7, 64, 1000].map {
      Rendering(program: BuiltProgram.fxrun, processor: "avx512", blockSize: $0)
    }
    return whole + blocks + [Rendering(program: debug, processor: "avx512")]
  }()

  /// Our own plugins are found where scripts/test has built them.
  private static let hasPlugins = ProcessInfo.processInfo.environment["LV2_PATH"] != nil

  @Test(arguments: renderings)
  func `every example passes its golden`(_ rendering: Rendering) throws {
    var arguments = ["test", Repository.root.appending(path: "chains").path]
    if !Self.hasPlugins { arguments += ["--skip", "chains/guitar-amp"] }
    if let blockSize = rendering.blockSize {
      // x42's strum plays its notes at other frames in other blocks.
      arguments += ["--block-size", "\(blockSize)", "--skip", "chains/arpeggio"]
    }
    let result = try BuiltProgram.run(
      rendering.program, arguments, environment: ["FXRUN_CPU": rendering.processor])
    #expect(result.status == 0, "\(result.text)")
    #expect(result.text.contains("passed"), "\(result.text)")
  }

  #if arch(x86_64)
    @Test func `the goldens record the current environment of the examples`() throws {
      let folder = temporary.url.appending(path: "chains")
      try FileManager.default.copyItem(at: Repository.root.appending(path: "chains"), to: folder)
      // Without examples with plugins, whose builds differ between systems.
      let arguments = [
        "test", folder.path, "--update", "--skip", "guitar-amp", "--skip", "old-record", "--skip",
        "arpeggio",
      ]
      // The instruction set that they were made with.
      let result = try BuiltProgram.run(
        BuiltProgram.fxrun, arguments, environment: ["FXRUN_CPU": "avx2"])
      #expect(result.status == 0, "\(result.text)")
      #expect(result.text.contains(" as before ("), "\(result.text)")
      #expect(!result.text.contains("with the same sound"), "\(result.text)")
    }
  #endif

  @Test func `every example has a golden`() throws {
    let cases = try Document("chains/chains.test.json").text
    for name in ExampleChainTests.names {
      #expect(cases.contains("\"chain\": \"\(name)\""), "\(name)")
    }
  }
}
