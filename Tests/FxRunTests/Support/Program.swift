import Foundation

/// fxrun in its own process, run as a user runs it.
final class Program {
  enum Input {
    /// An empty standard input.
    case nothing
    case bytes([UInt8])
    /// A pipe that stays open until `closeInput`; `send` writes to it.
    case pipe
  }

  /// The exit status and the output of a process.
  struct Outcome {
    /// nil when a signal ended it.
    var exitCode: Int32?
    var signal: Int32?
    var output: [UInt8] = []
    var errors: [UInt8] = []

    var text: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: errors, as: UTF8.self) }
  }

  /// The release build that `FXRUN_BINARY` names, or the debug build beside the tests.
  static let path: String = {
    if let named = getenv("FXRUN_BINARY").map({ String(cString: $0) }), !named.isEmpty {
      return named
    }
    var buffer = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
    let own = String(
      decoding: buffer.prefix(max(count, 0)).map(UInt8.init(bitPattern:)), as: UTF8.self)
    return own.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/fxrun"
  }()

  let processID: pid_t
  private var inputDescriptor: Int32
  private var outputDescriptor: Int32
  private var errorDescriptor: Int32
  private var pending: ArraySlice<UInt8>
  private let keepsInput: Bool
  private(set) var outcome = Outcome()
  private var isReaped = false

  /// Starts it. With `terminal`, standard error is a pseudo-terminal.
  init(
    _ arguments: [String], executable: String = Program.path, in folder: String = "/tmp",
    environment: [String: String] = [:], input: Input = .nothing, terminal: Bool = false,
    columns: UInt16 = 100
  ) throws {
    // No other child may inherit these descriptors before they are marked close-on-exec.
    spawning.lock()
    defer { spawning.unlock() }
    let (inputEnds, outputEnds) = (try pipeEnds(), try pipeEnds())
    let errorEnds = terminal ? try terminalEnds(columns) : try pipeEnds()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, inputEnds.0, 0)
    posix_spawn_file_actions_adddup2(&actions, outputEnds.1, 1)
    posix_spawn_file_actions_adddup2(&actions, errorEnds.1, 2)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    var variables = [
      "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": folder, "LANG": "C.UTF-8",
      "TERM": "xterm", "LV2_PATH": "/nonexistent",
    ]
    variables.merge(environment) { $1 }
    let words = (["env", "-C", folder, executable] + arguments).map { strdup($0) } + [nil]
    let settings = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for string in words + settings { free(string) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, "/usr/bin/env", &actions, &attributes, words, settings)
    close(inputEnds.0)
    close(outputEnds.1)
    close(errorEnds.1)
    processID = child
    inputDescriptor = inputEnds.1
    outputDescriptor = outputEnds.0
    errorDescriptor = errorEnds.0
    (keepsInput, pending) =
      switch input {
      case .nothing: (false, [])
      case .bytes(let bytes): (false, bytes[...])
      case .pipe: (true, [])
      }
    guard code == 0 else { throw ProgramFailure("\(executable) does not start: \(code)") }
    _ = fcntl(inputDescriptor, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if !isReaped {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
    for descriptor in [inputDescriptor, outputDescriptor, errorDescriptor] where descriptor >= 0 {
      close(descriptor)
    }
  }

  /// Starts fxrun and waits for its end.
  static func run(
    _ arguments: [String], executable: String = Program.path, in folder: String = "/tmp",
    environment: [String: String] = [:], input: Input = .nothing, terminal: Bool = false,
    limit: Double = 120
  ) throws -> Outcome {
    try Program(
      arguments, executable: executable, in: folder, environment: environment, input: input,
      terminal: terminal
    ).finish(limit: limit)
  }

  func send(_ bytes: [UInt8]) { pending += bytes }

  func closeInput() {
    if inputDescriptor >= 0 { close(inputDescriptor) }
    inputDescriptor = -1
  }

  func signal(_ signal: Int32) { kill(processID, signal) }

  /// Moves bytes until the condition holds. Returns false after `limit` seconds, or at the end of
  /// the output.
  @discardableResult
  func pump(limit: Double = 120, until condition: (Outcome) -> Bool) -> Bool {
    let end = now() + limit
    while !condition(outcome) {
      guard now() < end, outputDescriptor >= 0 || errorDescriptor >= 0 else { return false }
      step()
    }
    return true
  }

  /// Reads to the end of the output and collects the exit status.
  func finish(limit: Double = 120) throws -> Outcome {
    let end = now() + limit
    while outputDescriptor >= 0 || errorDescriptor >= 0 {
      guard now() < end else { throw ProgramFailure("still running after \(limit) s") }
      step()
    }
    var status: Int32 = 0
    waitpid(processID, &status, 0)
    isReaped = true
    let signal = status & 0x7f
    outcome.signal = signal == 0 ? nil : signal
    outcome.exitCode = signal == 0 ? status >> 8 & 0xff : nil
    return outcome
  }

  /// Waits up to 100 ms for a descriptor and moves its bytes.
  private func step() {
    if inputDescriptor >= 0, pending.isEmpty, !keepsInput { closeInput() }
    var polled = [
      pollfd(fd: outputDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errorDescriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: pending.isEmpty ? -1 : inputDescriptor, events: Int16(POLLOUT), revents: 0),
    ]
    guard poll(&polled, nfds_t(polled.count), 100) > 0 else { return }
    if polled[0].revents != 0 { take(&outputDescriptor, into: &outcome.output) }
    if polled[1].revents != 0 { take(&errorDescriptor, into: &outcome.errors) }
    guard polled[2].revents != 0 else { return }
    let count = pending.withUnsafeBytes { write(inputDescriptor, $0.baseAddress, $0.count) }
    if count > 0 {
      pending = pending.dropFirst(count)
    } else if errno != EAGAIN {
      pending = []
      closeInput()
    }
  }

  private func take(_ descriptor: inout Int32, into bytes: inout [UInt8]) {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = read(descriptor, &chunk, chunk.count)
    if count > 0 {
      bytes += chunk[0..<count]
    } else {
      // A terminal gives EIO after its last user has closed it.
      close(descriptor)
      descriptor = -1
    }
  }
}

struct ProgramFailure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

private let spawning = NSLock()

private func pipeEnds() throws -> (Int32, Int32) {
  var ends: [Int32] = [-1, -1]
  guard pipe(&ends) == 0 else { throw ProgramFailure("no pipe") }
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  return (ends[0], ends[1])
}

/// A pseudo-terminal: our end, the program's.
private func terminalEnds(_ columns: UInt16) throws -> (Int32, Int32) {
  // TIOCSPTLCK and TIOCGPTN of <asm-generic/ioctls.h>.
  let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
  var (lock, number): (Int32, Int32) = (0, 0)
  let own = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
  guard own >= 0, ioctl(own, setLock, &lock) == 0, ioctl(own, getNumber, &number) == 0 else {
    throw ProgramFailure("no pseudo-terminal")
  }
  let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
  var size = winsize(ws_row: 30, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
  _ = ioctl(other, UInt(TIOCSWINSZ), &size)
  return (own, other)
}
