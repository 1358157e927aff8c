import ArgumentParser
import FxAudio
import FxChain
import FxChecks
import FxKit
import Glibc

/// Answers the requests of another program, one after another, until its input ends.
struct ServeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Render, check, measure and test for another program, which sends requests.",
    discussion: """
      The Python module starts this process once and asks it for everything. A request is a line of JSON on \
      standard input, an answer a line of JSON on standard output; docs/python.md describes both. Samples \
      follow their line: 32-bit floats, little-endian, one channel after another.
      """)

  func run() throws {
    Interrupts.endAtOnce()
    guard let output = PluginHosting.reserveStandardOutput() else {
      throw FailureReport.report(
        ChainFailure(.request, code: .usage, "serve answers on standard output, which is closed"),
        asJSON: false)
    }
    PluginHosting.reportCrashesAsJSON(to: output)
    let stream = ServeStream(input: STDIN_FILENO, output: output)
    let watcher = stream.endWithReader()
    defer { watcher?.forget() }
    while let line = stream.line() {
      let answer: ServeAnswer
      switch ServeRequest.read(line, stream) {
      case .success(let request): answer = request.answer()
      case .failure(let failure):
        // What follows the line may be samples or the next request.
        _ = stream.write(ServeAnswer(failure, ends: true).line)
        throw ExitStatus.usage.exitCode
      }
      guard stream.write(answer.line, answer.samples) else { return }
      PluginHosting.endRender()
    }
  }
}
