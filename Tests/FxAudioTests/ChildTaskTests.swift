import FxAudio
import Glibc
import Testing

@Suite struct ChildTaskTests {
  /// A program in place of fxrun, which gets the arguments of the task.
  private func program(_ script: String) throws -> (path: String, remove: () -> Void) {
    var name = Array("/tmp/fxrun-child-XXXXXX".utf8CString)
    let file = mkstemp(&name)
    try #require(file >= 0)
    #expect(UnnamedFile.write("#!/bin/sh\n\(script)\n", to: file))
    fchmod(file, 0o700)
    close(file)
    let path = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return (path, { unlink(path) })
  }

  @Test(arguments: ChildRole.allCases)
  func `a process is handed its role, version, parent and request`(
    _ role: ChildRole
  ) throws {
    let host = try program("echo \"$@\" >&3; cat >&3; echo printed; echo problem >&2")
    defer { host.remove() }
    let (answer, messages) = (try UnnamedFile(), try UnnamedFile())
    let child = try ChildTask(role, request: Array("question".utf8), host: host.path).start(
      channel: answer.descriptor, messages: messages)
    #expect(child.wait(seconds: 60) == .status(0))
    #expect(
      answer.text(last: 1000)
        == "plugin-host \(role.rawValue) \(Release.version) \(getpid())\nquestion")
    #expect(messages.text(last: 1000) == "printed\nproblem\n")
  }

  @Test func `a request of any size arrives whole`() throws {
    let host = try program("wc -c >&3; echo \"$FXRUN_TEST_TASK\" >&3")
    defer { host.remove() }
    let answer = try UnnamedFile()
    let child = try ChildTask(
      .lint, request: [UInt8](repeating: 1, count: 3_000_000), host: host.path,
      environment: ["FXRUN_TEST_TASK": "given"]
    ).start(channel: answer.descriptor)
    #expect(child.wait(seconds: 60) == .status(0))
    #expect(answer.text(last: 100) == "3000000\ngiven\n")
  }

  @Test func `other arguments are no task`() {
    #expect(ReceivedTask([]) == nil)
    #expect(ReceivedTask(["chain.json", "plugin-host"]) == nil)
  }

  @Test func `readers of untrusted files have limits`() {
    for role in [ChildRole.bundles, .sofa] {
      #expect(role.limits.memory ?? .max <= 2 << 30)
      #expect(role.limits.processor ?? .max <= 60)
    }
    #expect(ChildRole.render.limits.processor == nil)
  }
}
