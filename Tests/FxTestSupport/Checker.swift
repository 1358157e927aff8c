package import Foundation

/// A library that is loaded before a program to watch its renders.
package struct Checker: Sendable {
  let library: URL

  /// Beside the products of the build.
  private static let folder = BuiltProgram.folder.appending(path: "checkers")
  private static let sanitizer = Result { try buildSanitizer() }
  private static let counter = Result { try buildCounter() }

  package static func realtimeSanitizer() throws -> Checker { try sanitizer.get() }
  package static func referenceCounts() throws -> Checker { try counter.get() }

  /// Runs a program under the checker.
  package func run(_ program: URL, _ arguments: [String]) throws -> ProgramOutput {
    try BuiltProgram.run(
      program, arguments,
      environment: ["LD_PRELOAD": library.path, "RTSAN_OPTIONS": "color=never"])
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
    guard !archive.isEmpty else { throw CheckerError("the toolchain has no RealtimeSanitizer") }
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
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
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
    let result = try BuiltProgram.run(URL(filePath: "/bin/sh"), ["-c", script])
    guard result.status == 0 else { throw CheckerError(result.text) }
    return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

/// Why a checker could not be built.
struct CheckerError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
