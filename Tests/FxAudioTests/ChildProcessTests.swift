import CRealtime
@testable import FxAudio
import Glibc
import Synchronization
import Testing

@Suite struct ChildProcessTests {
  private func shell(
    _ script: String, channel: Int32 = -1, errors: Int32 = -1, environment: [String: String] = [:],
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws -> ChildProcess {
    try ChildProcess(
      executable: "/bin/sh", arguments: ["-c", script],
      streams: fx_process_streams(input: -1, output: -1, errors: errors, channel: channel),
      environment: environment, onEnd: onEnd)
  }

  @Test(arguments: [0, 1, 3, 127, 255] as [Int32]) func `an exit status is passed on`(
    _ status: Int32
  ) throws {
    let process = try shell("exit \(status)")
    #expect(process.wait(seconds: 60) == .status(status))
    #expect(process.end == .status(status))
    #expect(ChildProcess.End.status(status).description == "exit status \(status)")
  }

  @Test(arguments: [
    (SIGUSR1, "user defined signal 1 (SIGUSR1)"), (SIGKILL, "killed (SIGKILL)"),
    (SIGSEGV, "segmentation fault (SIGSEGV)"),
  ])
  func `a signal is not an exit status`(signal: Int32, description: String) throws {
    let process = try shell("kill -\(signal) $$; exit 99")
    #expect(process.wait(seconds: 60) == .signal(signal))
    #expect(ChildProcess.End.signal(signal).description == description)
  }

  @Test(arguments: [SIGINT, SIGQUIT, SIGTERM, SIGHUP]) func `the parent decides what ends both`(
    _ signal: Int32
  ) throws {
    let process = try shell("kill -\(signal) $$; exit 6")
    #expect(process.wait(seconds: 60) == .status(6))
  }

  @Test func `an end that nobody saw has a description`() {
    #expect(ChildProcess.End.unknown.description == "its process is gone")
    #expect(ChildProcess.End.signal(99).description == "signal 99")
  }

  @Test func `a process that runs has no end until it is killed`() throws {
    let process = try shell("exec sleep 600")
    #expect(process.end == nil)
    #expect(process.wait(seconds: 0.01) == nil)
    #expect(process.kill() == .signal(SIGKILL))
    // Later questions have the same answer at once.
    #expect(process.kill() == .signal(SIGKILL))
    #expect(process.wait(seconds: 0) == .signal(SIGKILL))
    let hasEnded = process.hasEnded.pointee.load(ordering: .acquiring)
    #expect(hasEnded)
  }

  @Test func `an ended process cannot be killed`() throws {
    let process = try shell("exit 5")
    #expect(process.wait(seconds: 60) == .status(5))
    #expect(process.kill() == .status(5))
  }

  @Test func `an abort reaches a process, and one that ignores it goes on`() throws {
    let process = try shell("exec sleep 600")
    process.abort()
    #expect(process.wait(seconds: 60) == .signal(SIGABRT))
    let errors = try UnnamedFile()
    let deaf = try shell(
      "trap 'echo heard >&2; exit 7' ABRT; echo ready >&2; while :; do sleep 0.01; done",
      errors: errors.descriptor)
    while errors.text(last: 100) != "ready\n" { #expect(deaf.wait(seconds: 0.01) == nil) }
    deaf.abort()
    #expect(deaf.wait(seconds: 60) == .status(7))
    #expect(errors.text(last: 100).hasSuffix("heard\n"))
  }

  @Test func `the end is reported once, before a wait is over`() throws {
    let count = Mutex(0)
    let process = try shell("exit 4") { count.withLock { $0 += 1 } }
    while process.wait(seconds: 60) == nil {}
    _ = process.kill()
    withExtendedLifetime(process) {}
    #expect(process.end == .status(4))
    #expect(count.withLock { $0 } == 1)
  }

  @Test func `a program that does not exist is an error with its name`() {
    #expect {
      _ = try ChildProcess(
        executable: "/no/such/program", arguments: [],
        streams: fx_process_streams(input: -1, output: -1, errors: -1, channel: -1))
    } throws: { error in
      (error as? Failure)?.message
        == "a process cannot be started: /no/such/program: No such file or directory"
    }
  }

  @Test func `variables are added and replaced`() throws {
    setenv("FXRUN_TEST_KEPT", "kept", 1)
    setenv("FXRUN_TEST_REPLACED", "old", 1)
    let errors = try UnnamedFile()
    let process = try shell(
      "echo \"$FXRUN_TEST_KEPT $FXRUN_TEST_REPLACED $FXRUN_TEST_NEW\" >&2; env | grep -c FXRUN_TEST_ >&2",
      errors: errors.descriptor,
      environment: ["FXRUN_TEST_REPLACED": "a=b", "FXRUN_TEST_NEW": "new"])
    #expect(process.wait(seconds: 60) == .status(0))
    #expect(errors.text(last: 1000) == "kept a=b new\n3\n")
  }

  @Test func `pipes and the channel are where the child expects them`() throws {
    let (input, output, errors) = (
      try UnnamedFile(Array("question".utf8)), try UnnamedFile(), try UnnamedFile()
    )
    let process = try ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "cat; echo problem >&2"],
      streams: fx_process_streams(
        input: input.descriptor, output: output.descriptor, errors: errors.descriptor, channel: -1))
    #expect(process.wait(seconds: 60) == .status(0))
    #expect(output.text(last: 100) == "question")
    #expect(errors.text(last: 100) == "problem\n")
    let answer = try UnnamedFile()
    let writer = try shell("echo answer >&\(FX_CHILD_CHANNEL)", channel: answer.descriptor)
    #expect(writer.wait(seconds: 60) == .status(0))
    #expect(answer.text(last: 100) == "answer\n")
  }

  /// A process that writes into its memory, and the address of the memory here.
  private func writer() throws -> (ChildProcess, UnsafeMutableRawPointer) {
    let memory = try SharedMemory(size: 8)
    #expect((0..<8).allSatisfy { memory.base.load(fromByteOffset: $0, as: UInt8.self) == 0 })
    let process = try ChildProcess(
      executable: "/bin/sh", arguments: ["-c", "printf abcdefgh >&\(FX_CHILD_CHANNEL)"],
      streams: fx_process_streams(input: -1, output: -1, errors: -1, channel: memory.descriptor),
      sharing: memory)
    return (process, memory.base)
  }

  @Test func `shared memory is the same on both sides, and stays as long as the process object`()
    throws
  {
    let (process, base) = try writer()
    #expect(process.wait(seconds: 60) == .status(0))
    let bytes = UnsafeRawBufferPointer(start: base, count: 8)
    #expect(String(decoding: bytes, as: UTF8.self) == "abcdefgh")
  }

  @Test func `inherited memory that is too small is refused`() throws {
    for (size, isBigEnough) in [(16, true), (17, false)] {
      let memory = try SharedMemory(size: 16)
      memory.base.storeBytes(of: 0x1234, as: Int.self)
      let inherited = SharedMemory(inherited: dup(memory.descriptor), minimumSize: size)
      #expect((inherited != nil) == isBigEnough)
      #expect(inherited?.size == (isBigEnough ? 16 : nil))
      #expect(inherited?.base.load(as: Int.self) == (isBigEnough ? 0x1234 : nil))
      if let inherited { #expect(fcntl(inherited.descriptor, F_GETFD) & FD_CLOEXEC != 0) }
    }
    #expect(SharedMemory(inherited: -1, minimumSize: 1) == nil)
  }
}

@Suite struct UnnamedFileTests {
  @Test func `the first bytes and the last text of a file`() throws {
    let file = try UnnamedFile()
    #expect(file.bytes(limit: 10) == [])
    #expect(file.text(last: 10) == "")
    #expect(UnnamedFile.write("first second", to: file.descriptor))
    #expect(file.bytes(limit: 5) == Array("first".utf8))
    #expect(file.bytes(limit: 100) == Array("first second".utf8))
    #expect(file.text(last: 6) == "second")
    #expect(file.text(last: 100) == "first second")
    #expect(UnnamedFile.bytes(file.descriptor) == Array("first second".utf8))
  }

  @Test func `a file with contents is written from its beginning`() throws {
    let file = try UnnamedFile(Array("question".utf8))
    #expect(file.text(last: 100) == "question")
    #expect(lseek(file.descriptor, 0, SEEK_CUR) == 0)
    let large = [UInt8](repeating: 7, count: 1_000_000)
    #expect(try UnnamedFile(large).bytes(limit: .max) == large)
    #expect(try UnnamedFile([]).bytes(limit: 10) == [])
  }

  @Test func `a descriptor that cannot be written is reported`() throws {
    #expect(!UnnamedFile.write("text", to: -1))
    #expect(UnnamedFile.write("", to: -1))
    #expect(UnnamedFile.bytes(-1) == [])
  }
}

@Suite struct ByteCodingTests {
  private func read<Value>(_ bytes: [UInt8], _ body: (inout ByteDecoder) -> Value) -> Value {
    bytes.withUnsafeBytes { raw in
      var reader = ByteDecoder(raw)
      return body(&reader)
    }
  }

  @Test func `values come back in their order`() {
    var writer = ByteEncoder()
    writer.put(-5)
    writer.put(0.1)
    writer.put(true)
    writer.put(false)
    writer.put("ä€")
    writer.put([1, 2, 3]) { $0.put($1) }
    writer.put("")
    #expect(writer.bytes.count == 8 * 4 + 8 + 5 + 8 + 24 + 8)
    let isRight = read(writer.bytes) { reader in
      let numbers = reader.int() == -5 && reader.double() == 0.1
      let flags = reader.flag() && !reader.flag()
      let texts = reader.text() == "ä€"
      let list = reader.list { $0.int() } == [1, 2, 3]
      return numbers && flags && texts && list && reader.text() == "" && reader.isSound
    }
    #expect(isRight)
  }

  @Test func `missing data reads as zero and is noticed`() {
    #expect(read([1, 0, 0, 0, 0, 0, 0]) { ($0.int(), $0.isSound) } == (0, false))
    var writer = ByteEncoder()
    writer.put(4)
    for length in [-1, 5, Int.max] {
      var writer = ByteEncoder()
      writer.put(length)
      let bytes = writer.bytes + [65, 66, 67, 68]
      #expect(read(bytes) { ($0.text(), $0.isSound) } == ("", false))
      #expect(read(bytes) { ($0.list { $0.int() }.count, $0.isSound) } == (0, false))
    }
    #expect(read(writer.bytes + [65, 66, 67, 68]) { ($0.text(), $0.isSound) } == ("ABCD", true))
    var empty = ByteEncoder()
    empty.put([Int]()) { $0.put($1) }
    #expect(read(empty.bytes) { ($0.list { $0.int() }.count, $0.isSound) } == (0, true))
  }
}
