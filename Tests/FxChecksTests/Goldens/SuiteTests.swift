import Foundation
@testable import FxChecks
import FxKit
import Synchronization
import Testing

/// Suites whose case processes are shell scripts, which act as a real process might.
@Suite struct SuiteTests {
  private let folder = CaseFolder()

  /// A suite of cases whose process runs a script. The answer goes to
  /// descriptor 3. `$name` is the case, `$made` the folder of a recording.
  private func suite(_ script: String, _ names: [String], timeout: Double = 60) throws -> Suite {
    let file = "\(folder.path)/host"
    try """
    #!/bin/sh
    request=$(cat)
    field() { printf '%s' "$request" | sed "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/"; }
    name=$(field case); made=$(field folder)
    cd '\(folder.path)'
    \(script)

    """.write(toFile: file, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
    var suite = Suite(
      names.map {
        SuiteCase(
          label: $0,
          testCase: TestCase(
            name: $0, file: "\(folder.path)/a.test.json", chain: "a.json",
            expectation: .sound("\(folder.path)/golden/\($0).wav")))
      })
    suite.process.host = file
    suite.process.timeout = timeout
    return suite
  }

  private static let answer =
    #"printf '{"name":"%s","outcome":"%s","seconds":0.5}' "$name" "$out" >&3"#

  private func failure(_ script: String, timeout: Double = 60) throws -> (ChainFailure?, String) {
    let result = try suite(script, ["a"], timeout: timeout).check()[0]
    guard case .failed(let failure)? = result?.verdict.outcome else {
      Issue.record("not a failure: \(String(describing: result))")
      return (nil, "")
    }
    return (failure, result?.words ?? "")
  }

  @Test func `verdicts are reported in the order of the cases`() throws {
    var suite = try suite(
      "out=passed; [ $name = a ] && sleep 0.3; [ $name = c ] && out=differs; \(Self.answer)",
      ["a", "b", "c", "d"])
    suite.jobs = 3
    let told = Mutex<[String]>([])
    var observer = Suite.Observer()
    observer.report = { suiteCase, result in
      told.withLock { $0.append("\(suiteCase.label) \(result.verdict.outcome.name)") }
    }
    let results = suite.check(observer)
    #expect(told.withLock { $0 } == ["a passed", "b passed", "c differs", "d passed"])
    #expect(results.map { $0?.isGood } == [true, true, false, true])
    #expect(results.allSatisfy { $0?.verdict.seconds == 0.5 })
  }

  @Test func `a process that crashes is a failure with its signal and its last words`() throws {
    let (failure, words) = try failure("echo ouch >&2; kill -SEGV $$")
    #expect(failure?.code == "crashed")
    #expect(failure?.message == "its process crashed: segmentation fault (SIGSEGV)")
    #expect(words == "ouch\n")
  }

  @Test func `a killed process is reported with lack of memory as a possible cause`() throws {
    #expect(try failure("kill -KILL $$").0?.message.contains("where memory runs out") == true)
  }

  @Test func `a plugin that the crash report names is the cause of the failure`() throws {
    let said = #"{"error":{"kind":"plugin","code":"crashed","message":"fx (urn:x) crashed"}}"#
    let (failure, _) = try failure("echo '\(said)' >&3; exit 3")
    #expect(failure?.kind == .plugin && failure?.message == "fx (urn:x) crashed")
  }

  @Test func `a process that hangs is ended`() throws {
    let (failure, _) = try failure("exec sleep 1000", timeout: 0.2)
    #expect(failure?.code == "timeout")
  }

  @Test(arguments: [
    "", "echo garbage >&3", "echo '{\"name\":\"b\",\"outcome\":\"passed\",\"seconds\":0}' >&3",
    "out=passed; \(Self.answer); exit 5", "head -c 100000 /dev/zero >&3",
  ])
  func `an answer that is not the case's verdict is a failure`(_ script: String) throws {
    #expect(try failure(script).0?.code == "no-verdict")
  }

  @Test func `a program that cannot be started is a failure`() throws {
    var suite = try suite("", ["a"])
    suite.process.host = "\(folder.path)/nowhere"
    guard case .failed(let failure)? = suite.check()[0]?.verdict.outcome else {
      Issue.record("it was started")
      return
    }
    #expect(failure.code == "no-process")
  }

  @Test func `a suite that fails fast reports nothing after the first failure`() throws {
    var suite = try suite(
      "out=passed; [ $name = b ] && { sleep 0.2; out=differs; }; \(Self.answer)",
      ["a", "b", "c", "d", "e", "f"])
    suite.jobs = 2
    suite.failsFast = true
    let told = Mutex<[String]>([])
    var observer = Suite.Observer()
    observer.report = { suiteCase, _ in told.withLock { $0.append(suiteCase.label) } }
    let results = suite.check(observer)
    #expect(told.withLock { $0 } == ["a", "b"])
    #expect(results.map { $0?.isGood } == [true, false, nil, nil, nil, nil])
  }

  @Test func `a suite that is stopped ends its processes`() throws {
    let suite = try suite(
      "echo $$ > \"$PWD/$$\"; mv \"$PWD/$$\" \"$PWD/pid\"; exec sleep 1000", ["a", "b"])
    var observer = Suite.Observer()
    let file = "\(folder.path)/pid"
    observer.isStopped = { FileManager.default.fileExists(atPath: file) }
    let results = suite.check(observer)
    #expect(results.allSatisfy { $0 == nil })
    let text = try String(contentsOfFile: file, encoding: .utf8)
    let pid = try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(kill(pid, 0) == -1)
  }

  @Test func `a golden update that is stopped leaves no file`() throws {
    let suite = try suite(
      "mkdir -p \"$made\"; echo x > \"$made/a.wav\"; echo > \"$PWD/begun\"; exec sleep 1000", ["a"])
    let file = "\(folder.path)/begun"
    var observer = Suite.Observer()
    observer.isStopped = { FileManager.default.fileExists(atPath: file) }
    #expect(suite.update(observer).allSatisfy { $0 == nil })
    let left = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/golden")
    #expect(left == [])
  }

  @Test func `a golden update that fails leaves no file`() throws {
    let results = try suite("mkdir -p \"$made\"; echo x > \"$made/a.wav\"; kill -SEGV $$", ["a"])
      .update()
    #expect(results[0]?.isGood == false)
    let golden = "\(folder.path)/golden"
    let left = (try? FileManager.default.contentsOfDirectory(atPath: golden)) ?? []
    #expect(left == [])
  }
}
