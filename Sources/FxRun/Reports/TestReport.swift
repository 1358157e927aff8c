import FxChain
import FxChecks
import FxKit
import Glibc
import Synchronization

/// Reports the results of cases: one line for each as it comes, or JSON at the end. From any
/// thread, but only one at a time.
final class TestReport: Sendable {
  private let found: TestCases
  private let isUpdate: Bool
  private let isJSON: Bool
  private let width: Int
  private let start = TestReport.now
  private let progressShown = Mutex(false)
  private let lastProgress = Mutex(0.0)
  private let isTerminal = Output.obeysCodes(.error)
  private let isColored = Output.isColored(.output)

  init(_ found: TestCases, isUpdate: Bool, isJSON: Bool) {
    self.found = found
    self.isUpdate = isUpdate
    self.isJSON = isJSON
    width = min(40, found.cases.map(\.label.count).max() ?? 0)
    for (testCase, result) in found.failures { report(testCase, result) }
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // MARK: While it runs

  func report(_ testCase: SuiteCase, _ result: SuiteResult) {
    guard !isJSON else { return }
    clear()
    let word = word(result)
    let padding = String(repeating: " ", count: max(0, 4 - word.count))
    let label = TerminalText.plain(testCase.label)
    let headline = TerminalText.plain(result.verdict.headline)
    let rest = headline.isEmpty && !isUpdate ? Text.time(result.seconds) : headline
    let line = "\(paint(word, result))\(padding)  "
    Output.line(line + (rest.isEmpty ? label : "\(label.padded(to: width))  \(rest)"))
    for detail in result.verdict.details(testCase.testCase.tolerance) {
      Output.line("      \(TerminalText.plain(detail))")
    }
  }

  private func word(_ result: SuiteResult) -> String {
    switch result.verdict.outcome {
    case .passed: !isUpdate ? "pass" : result.isUpdated ? "note" : "same"
    case .new: "new"
    case .differs: result.isUpdated ? "diff" : "FAIL"
    case .failed: "FAIL"
    }
  }

  private func paint(_ word: String, _ result: SuiteResult) -> String {
    guard isColored else { return word }
    switch result.verdict.outcome {
    case .passed: return "\u{1B}[32m\(word)\u{1B}[0m"
    case .new: return "\u{1B}[33m\(word)\u{1B}[0m"
    default: return "\u{1B}[1;31m\(word)\u{1B}[0m"
    }
  }

  /// Shows one line on a terminal; nothing in a pipe.
  func progress(_ done: Int, _ total: Int, _ running: [SuiteCase]) {
    guard isTerminal else { return }
    let isDue = lastProgress.withLock { last in
      // Very short runs need no progress line, and more updates would not be visible.
      guard Self.now - max(last, start) > 0.1 else { return false }
      last = Self.now
      return true
    }
    guard isDue else { return }
    let names = running.map { TerminalText.plain($0.label) }.joined(separator: ", ")
    let line = TerminalText.cut("[\(done)/\(total)] \(names)", max(8, Output.width - 1))
    Output.write("\r\(line)\u{1B}[K", to: .error)
    progressShown.withLock { $0 = true }
  }

  private func clear() {
    let isShown = progressShown.withLock { shown in
      defer { shown = false }
      return shown
    }
    if isShown { Output.write("\r\u{1B}[K", to: .error) }
  }

  // MARK: At the end

  func end(_ results: [SuiteResult?], isStopped: Bool) {
    clear()
    let all = found.failures.map { $0.1 as SuiteResult? } + results
    if isJSON {
      Output.json(json(all, isStopped: isStopped))
    } else {
      Output.line((isStopped ? "stopped: " : "") + summary(all))
    }
  }

  /// `98 passed, 1 differs, 1 new (3.1 s)`, and the next step.
  private func summary(_ results: [SuiteResult?]) -> String {
    let counts = Counts(results)
    var parts: [String] = []
    func add(_ count: Int, _ words: String) { if count > 0 { parts.append("\(count) \(words)") } }
    if isUpdate {
      add(counts.new, "new")
      add(counts.changed, "changed")
      add(counts.noted, "with the same sound, made with other things")
      add(counts.passed, "as before")
    } else {
      if counts.passed > 0 || counts.differing + counts.new + counts.failed == 0 {
        parts.append("\(counts.passed) passed")
      }
      add(counts.new, "new")
    }
    add(counts.differing, counts.differing == 1 ? "differs" : "differ")
    add(counts.failed, "failed")
    add(counts.missing, "not run")
    var text = "\(parts.joined(separator: ", ")) (\(Text.time(Self.now - start)))"
    if !isUpdate, counts.new > 0 {
      text += "\nfxrun test --update makes goldens of the new cases: listen to them first"
    }
    return text
  }

  private func json(_ results: [SuiteResult?], isStopped: Bool) -> JSONOutput {
    let counts = Counts(results)
    return .members([
      "passed": .integer(counts.passed + counts.noted),
      "differs": .integer(counts.differing),
      "new": .integer(counts.new),
      "changed": isUpdate ? .integer(counts.changed) : nil,
      "failed": .integer(counts.failed),
      "notRun": .integer(counts.missing),
      "isStopped": isStopped ? .bool(true) : nil,
      "seconds": .number(((Self.now - start) * 1000).rounded() / 1000),
      "diagnostics": found.diagnostics.isEmpty ? nil : .array(found.diagnostics.all.map(\.json)),
      "cases": .array(
        zip(cases, results).compactMap { testCase, result in
          result.map { json(testCase, $0) }
        }),
    ])
  }

  private func json(_ testCase: SuiteCase, _ result: SuiteResult) -> JSONOutput {
    var verdict = result.verdict
    verdict.name = testCase.label
    return verdict.json.with([
      .init("file", .string(testCase.testCase.file)),
      .init(
        "summary",
        .array(
          ([verdict.headline] + verdict.details(testCase.testCase.tolerance)).filter { !$0.isEmpty }
            .map { .string($0) })),
      .init("wallSeconds", .number((result.seconds * 1000).rounded() / 1000)),
      .init("written", .array(result.written.map { .string($0) })),
      .init("removed", .array(result.removed.map { .string($0) })),
      .init("errors", .string(result.words)),
    ])
  }

  func junit(_ results: [SuiteResult?]) -> String {
    JUnitReport.text(cases, withBroken(results))
  }

  /// An index page for all files that were left in a folder.
  func page(_ results: [SuiteResult?], folder: String) -> SuitePage {
    SuitePage(cases, withBroken(results), folder: folder)
  }

  /// Case files with mistakes, and the cases.
  private var cases: [SuiteCase] { found.failures.map(\.0) + found.cases }

  private func withBroken(_ results: [SuiteResult?]) -> [SuiteResult?] {
    found.failures.map { $0.1 as SuiteResult? }
      + (results.isEmpty ? found.cases.map { _ in nil } : results)
  }

  /// 7 if a case differs or is new, otherwise the exit status of the first failure.
  func status(_ results: [SuiteResult?]) -> ExitStatus {
    let all = found.failures.map(\.1) + results.compactMap { $0 }
    let bad = all.filter { !$0.isGood }.map(\.verdict.outcome)
    var first: ExitStatus?
    for outcome in bad {
      guard case .failed(let failure) = outcome else { return .differs }
      first = first ?? ExitStatus(failure.kind)
    }
    return first ?? .success
  }

  private struct Counts {
    var passed = 0
    var noted = 0
    var changed = 0
    var differing = 0
    var new = 0
    var failed = 0
    var missing = 0

    init(_ results: [SuiteResult?]) {
      for result in results {
        switch result?.verdict.outcome {
        case nil: missing += 1
        case .passed: if result?.isUpdated == true { noted += 1 } else { passed += 1 }
        case .new: new += 1
        case .differs: if result?.isUpdated == true { changed += 1 } else { differing += 1 }
        case .failed: failed += 1
        }
      }
    }
  }
}
