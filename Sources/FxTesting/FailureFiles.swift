import FxChecks
import FxKit
import Glibc

/// The files that a failed comparison leaves: sounds and a page.
struct FailureFiles {
  static let variable = "FXTESTING_OUTPUT"

  /// Lines for the message with the paths of the files.
  private(set) var lines: [String] = []

  /// Writes and attaches the files.
  init(_ rendering: Rendering, _ golden: Golden, _ failure: GoldenCheck.Failure) {
    guard let verdict = failure.verdict else { return }
    let folder = Self.folder(for: golden)
    do throws(ChainFailure) {
      try WholeFile.makeFolder(folder)
      for output in rendering.rendered.outputs {
        let name = output.name == "main" ? "actual.wav" : "actual.\(Self.plain(output.name)).wav"
        try output.sound.write(toFile: "\(folder)/\(name)")
        attach("\(folder)/\(name)", golden)
      }
      let text = "\(folder)/difference.txt"
      try WholeFile.write(failure.message + "\n", to: text)
      attach(text, golden)
      if case .differs = verdict.outcome {
        let page = "\(folder)/report.html"
        try Self.report(rendering, golden, verdict).write(to: page)
        attach(page, golden)
      }
      lines = ["files: \(folder)"]
    } catch {
      lines = ["files: none, \(error.message)"]
    }
  }

  /// The page that shows the difference.
  private static func report(
    _ rendering: Rendering, _ golden: Golden, _ verdict: CaseVerdict
  ) throws(ChainFailure) -> DifferenceReport {
    let testCase = rendering.testCase(for: golden)
    var options = CaseRendering.Options()
    options.wantsFingerprints = true
    let now = try CaseRendering(testCase, options).fingerprints
    let then = try Manifest(contentsOfFile: testCase.manifestPath).fingerprints
    return DifferenceReport(verdict, of: testCase, then: then, now: now)
  }

  private func attach(_ path: String, _ golden: Golden) {
    let file = path.split(separator: "/").last.map(String.init) ?? path
    guard let bytes = Self.bytes(ofFile: path) else { return }
    TestReport.attach(bytes, named: "\(Self.plain(golden.name)).\(file)")
  }

  /// `$FXTESTING_OUTPUT/VoiceTests-voice`; the next failure replaces the files there.
  private static func folder(for golden: Golden) -> String {
    let temporary = environment("TMPDIR").flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
    let root =
      environment(variable).flatMap { $0.isEmpty ? nil : $0 }
      ?? "\(temporary)/fxtesting-\(getuid())"
    let folders = golden.path.split(separator: "/").dropLast(
      golden.name.split(separator: "/").count)
    let suite = folders.last == "Goldens" ? folders.dropLast().last : folders.last
    return
      "\(root)/\(plain([suite.map(String.init), golden.name].compactMap(\.self).joined(separator: "-")))"
  }

  /// A name without folders.
  private static func plain(_ name: String) -> String {
    String(name.map { $0 == "/" ? "-" : $0 })
  }

  private static func bytes(ofFile path: String) -> [UInt8]? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      bytes += piece.prefix(count)
      guard count == piece.count else { break }
    }
    return ferror(file) == 0 ? bytes : nil
  }
}
