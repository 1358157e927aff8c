import Foundation
import Testing

/// Renders under checkers that are loaded into the process: nothing may allocate, lock, enter the
/// kernel, count references or fault.
@Suite struct RealtimeTests {
  @Test func `no render allocates, locks or enters the kernel`() throws {
    let checker = try Checker.realtimeSanitizer()
    let result = try checker.run("RealtimeProbe", [])
    #expect(result.status == 0, "\(result.text.prefix(3000))")
    #expect(result.text.contains("0 page faults"))
  }

  @Test func `an allocation in a render is caught`() throws {
    let result = try Checker.realtimeSanitizer().run("RealtimeProbe", ["--violate"])
    #expect(result.status == 43)
    #expect(result.text.contains("malloc"))
  }

  @Test func `no render counts references`() throws {
    let result = try Checker.referenceCounts().run("RealtimeProbe", [])
    #expect(result.status == 0)
    #expect(!result.text.contains("retains"), "\(result.text.prefix(3000))")
  }

  @Test func `a reference that is counted in a render is seen`() throws {
    let result = try Checker.referenceCounts().run("RealtimeProbe", ["--count"])
    #expect(result.text.contains("retains"))
  }
}

/// A library that is loaded before a program to watch its renders.
struct Checker: Sendable {
  let library: URL

  private static let folder = FileManager.default.temporaryDirectory
    .appending(path: "fxrun-checkers-\(ProcessInfo.processInfo.processIdentifier)")
  private static let sanitizer = Result { try buildSanitizer() }
  private static let counter = Result { try buildCounter() }

  static func realtimeSanitizer() throws -> Checker { try sanitizer.get() }
  static func referenceCounts() throws -> Checker { try counter.get() }

  struct Output {
    let status: Int32
    let text: String
  }

  /// Runs a program that was built beside the tests.
  func run(_ program: String, _ arguments: [String]) throws -> Output {
    let bundle = URL(
      filePath: try FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/exe"))
    let executable = bundle.deletingLastPathComponent().appending(path: program)
    return try Self.run(
      executable.path, arguments, ["LD_PRELOAD": library.path, "RTSAN_OPTIONS": "color=never"])
  }

  /// RealtimeSanitizer's runtime as a library: everything in the toolchain's archive but the object
  /// that starts it from `preinit`, which only programs may have.
  private static func buildSanitizer() throws -> Checker {
    let swiftc = try shell("readlink -f \"$(command -v swiftc)\"")
    let resources = URL(filePath: swiftc).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "lib/clang")
    let machine = try shell("uname -m")
    let archive = try shell(
      "find '\(resources.path)/' -name 'libclang_rt.rtsan-\(machine).a' | head -n 1")
    try #require(!archive.isEmpty, "the toolchain has no RealtimeSanitizer")
    let library = folder.appending(path: "rtsan.so")
    _ = try shell(
      """
      set -e
      mkdir -p '\(folder.path)/rtsan' && cd '\(folder.path)/rtsan'
      ar x '\(archive)' && rm -f rtsan_preinit*.o
      printf '%s' 'void __rtsan_ensure_initialized(void);
        __attribute__((constructor(101))) static void start(void) { __rtsan_ensure_initialized(); }' > start.c
      clang='\(URL(filePath: swiftc).deletingLastPathComponent().path)/clang'
      [ -x "$clang" ] || clang=clang
      "$clang" -shared -fPIC -fuse-ld=lld -o '\(library.path)' start.c ./*.o -lpthread -ldl -lm -lstdc++ -lrt
      """)
    return Checker(library: library)
  }

  private static func buildCounter() throws -> Checker {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "RealtimeProbe/reference-counts.c")
    let library = folder.appending(path: "reference-counts.so")
    _ = try shell(
      """
      set -e
      mkdir -p '\(folder.path)'
      cc=$(command -v clang || command -v cc)
      "$cc" -shared -fPIC -O1 -o '\(library.path)' '\(source.path)' -ldl
      """)
    return Checker(library: library)
  }

  private static func shell(_ script: String) throws -> String {
    let result = try run("/bin/sh", ["-c", script], [:])
    try #require(result.status == 0, "\(result.text)")
    return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func run(
    _ path: String, _ arguments: [String], _ environment: [String: String]
  ) throws -> Output {
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return Output(status: process.terminationStatus, text: text)
  }
}
