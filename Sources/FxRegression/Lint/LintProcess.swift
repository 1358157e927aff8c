import FxDiagnostics
import CRealtime
import FxAudio
import FxChain
import FxKit
import FxLV2
import Glibc

/// A process that renders for a lint.
struct LintProcess {
  /// What has become of it.
  enum Outcome {
    case result(LintResult)
    /// It ended without one: how, and the last that it said.
    case ended(String)
  }

  let task: LintTask
  private let process: pid_t
  private let started: Double

  private static let logName = "log.txt"

  /// Starts fxrun on a task whose folder is there.
  ///
  /// - Parameter environment: beside our own.
  init(_ task: LintTask, environment: [String: String]) throws(ChainFailure) {
    self.task = task
    let path = "\(task.folder)/task.json"
    guard LintHost.write(Array(task.json.text(indented: false).utf8), path) else {
      throw .noLintFolder(task.folder)
    }
    let executable: String
    do throws(UnitError) {
      executable = try HostExecutable.path()
    } catch {
      throw ChainFailure(.internalError, code: "no-host", error.message)
    }
    started = fx_monotonic_seconds()
    let words = [executable, LintHost.command, path, String(getpid())]
    var variables = Self.inherited.filter { word in
      !environment.keys.contains { word.hasPrefix("\($0)=") }
    }
    variables += environment.map { "\($0.key)=\($0.value)" }
    var error: Int32 = 0
    process = Self.spawn(
      executable, words, variables, log: "\(task.folder)/\(Self.logName)", &error)
    guard error == 0 else {
      let reason = strerror(error).map { String(cString: $0) } ?? "error \(error)"
      throw ChainFailure(
        .internalError, code: "no-process", "a process to render in cannot be started: \(reason)")
    }
  }

  private static var inherited: [String] {
    var words: [String] = []
    var next = environ
    while let word = next.pointee {
      words.append(String(cString: word))
      next += 1
    }
    return words
  }

  private static func spawn(
    _ executable: String, _ words: [String], _ variables: [String], log: String,
    _ error: inout Int32
  ) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var arguments = words.map { strdup($0) } + [nil]
    var environment = variables.map { strdup($0) } + [nil]
    defer { for word in arguments + environment { free(word) } }
    var process: pid_t = 0
    error = posix_spawn(&process, executable, &actions, nil, &arguments, &environment)
    return process
  }

  /// True once it has ended, with what came of it.
  func poll(timeout: Double) -> Outcome? {
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == 0 else { return outcome(status) }
    guard fx_monotonic_seconds() - started > timeout else { return nil }
    end()
    return .ended("it did not end within \(Int(min(timeout, 1e6))) s")
  }

  /// Ends it, whatever it is at.
  func end() {
    var status: Int32 = 0
    kill(process, SIGKILL)
    waitpid(process, &status, 0)
  }

  private func outcome(_ status: Int32) -> Outcome {
    if status == 0, let result = Self.read("\(task.folder)/\(LintTask.resultName)") {
      return .result(result)
    }
    let signal = status & 0x7f
    let ending =
      signal == 0
      ? "exit status \(status >> 8 & 0xff)"
      : strsignal(signal).map { String(cString: $0).lowercased() } ?? "signal \(signal)"
    let log = (try? ChainFile.readNamed("\(task.folder)/\(Self.logName)")) ?? []
    let lines = String(decoding: log.suffix(8000), as: UTF8.self).split(separator: "\n")
    // What fxrun says of a crash comes first, and hints behind it.
    if let error = lines.last(where: { $0.hasPrefix("error: ") }) {
      return .ended(String(error.dropFirst(7)))
    }
    let last = lines.last { $0.contains { !$0.isWhitespace } }
    return .ended("its process ended: \(ending)" + (last.map { " (\($0))" } ?? ""))
  }

  private static func read(_ path: String) -> LintResult? {
    var found = Diagnostics()
    guard let bytes = try? ChainFile.readNamed(path),
      let document = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found)
    else { return nil }
    return try? LintResult(ManifestValue(document.root, "the result"))
  }
}

extension ChainFailure {
  static func noLintFolder(_ path: String) -> ChainFailure {
    ChainFailure(
      .output, code: "unwritable", "\(path): cannot be written; TMPDIR names another place",
      path: path)
  }
}
