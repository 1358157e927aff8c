package import Foundation

/// Programs of the package, as tests start them.
package enum BuiltProgram {
  /// Where the build put the tests and the programs beside them.
  package static let folder: URL = {
    let bundle = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(filePath: bundle ?? "").deletingLastPathComponent()
  }()

  /// The release binary where the environment names one, otherwise what was built with the tests.
  package static var fxrun: URL {
    let path = ProcessInfo.processInfo.environment["FXRUN_BINARY"] ?? ""
    if !path.isEmpty { return URL(filePath: path) }
    return folder.appending(path: "fxrun")
  }

  /// True where the environment names a binary, which is as fast as a release.
  package static var isNamed: Bool {
    ProcessInfo.processInfo.environment["FXRUN_BINARY"]?.isEmpty == false
  }

  /// Runs a program to its end, its output and its errors in one text.
  package static func run(
    _ program: URL, _ arguments: [String], environment: [String: String] = [:]
  ) throws -> ProgramOutput {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return ProgramOutput(status: process.terminationStatus, text: text)
  }
}

/// The output of a program and its exit status.
package struct ProgramOutput: Sendable {
  package let status: Int32
  package let text: String
}
