import ArgumentParser
import FxAudio
import FxKit

/// Sends a request to a chain that plays in another process.
struct ControlCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "control",
    abstract:
      "Send a request to a chain that plays: 'fxrun control guitar set comp.threshold -20dB'.",
    usage: "fxrun control [--timeout SECONDS] NAME|PATH [REQUEST]",
    discussion: """
      The chain was started with --control NAME. Without a request, lines are read from standard \
      input: JSON objects, which are answered by one JSON object each, or words.

      \(ControlVerbs.help)

      NAME is comp.threshold, delay.bypass, or what the chain exposes. Without on or off a \
      switch is toggled. 'fxrun control NAME set --help' explains a request.

      Exit status: 6 when nothing plays there or no answer comes in time, 64 when a request does \
      not fit the chain; else as for a run.
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Before NAME: how long to wait for an answer (default 10); 0 is without limit. load and learn have no limit.",
      valueName: "seconds"))
  var timeout: TimeArgument?

  @Argument(
    help: "The name or path that --control was given.",
    completion: .words(.performances))
  var name: String

  @Argument(
    parsing: .captureForPassthrough, help: "The request, in words.",
    completion: .words(.requests))
  var request: [String] = []

  func run() throws {
    if ["--help", "-h"].contains(request.first) { throw CleanExit.helpRequest(self) }
    if let help = ControlWords.help(request) { throw CleanExit.message(help) }
    Interrupts.endAtOnce()
    let status: ExitStatus
    do throws(ChainFailure) {
      status = try perform()
    } catch {
      throw FailureReport.report(error, asJSON: false)
    }
    if status != .success { throw status.exitCode }
  }

  /// Refuses a request without the name of a performance, unless one has the request's name.
  private func checkName() throws(ChainFailure) {
    guard let verb = ControlVerbs.named(name), !ControlAddress.names.contains(name),
      request.first.flatMap({ ControlVerbs.named($0) }) == nil
    else { return }
    let names = ControlAddress.names
    throw ChainFailure(
      .request, code: .usage,
      "'\(name)' is a request; the name that --control was given comes before it",
      hints: [
        "it is 'fxrun control NAME \(verb.usage)'",
        names.isEmpty
          ? "nothing plays with --control now" : "these play: \(names.joined(separator: ", "))",
      ])
  }

  private func perform() throws(ChainFailure) -> ExitStatus {
    try checkName()
    // A wrong request is reported even when nothing plays.
    let words = request.isEmpty ? nil : try ControlWords(request)
    let client = try ControlClient(
      try ControlAddress(name), timeout: timeout?.seconds ?? ControlClient.defaultTimeout)
    if let words { client.perform(words) } else { client.performLines() }
    return client.status
  }
}
