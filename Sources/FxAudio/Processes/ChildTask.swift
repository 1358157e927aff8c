import CRealtime
import Glibc

/// A task for a process of fxrun's own, which may crash or hang.
///
/// Every role is handed its task in the same way: the process is fxrun with the hidden command
/// `plugin-host`, the role, the version and the parent as arguments. The request is its standard
/// input. One descriptor (`FX_CHILD_CHANNEL`) carries what goes on between both: shared memory, a
/// file for the answer, or a socket. `ReceivedTask` is the other side.
package struct ChildTask: Sendable {
  package let role: ChildRole
  private let request: [UInt8]
  /// The program; nil for fxrun itself.
  private let host: String?
  private let environment: [String: String]

  /// The command of `fxrun` for such a process.
  static let command = "plugin-host"

  /// - Parameters:
  ///   - host: another program that knows `plugin-host`.
  ///   - environment: variables that are added to this process's environment, or replace some.
  package init(
    _ role: ChildRole, request: [UInt8], host: String? = nil, environment: [String: String] = [:]
  ) {
    self.role = role
    self.request = request
    self.host = host
    self.environment = environment
  }

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - channel: the descriptor of the channel; it may be closed here afterwards.
  ///   - memory: shared memory as the channel, which stays mapped as long as the process object.
  ///   - messages: receives what the process prints; nil for this process's standard error.
  ///   - onEnd: called on the thread that waits for its end.
  package func start(
    channel: Int32 = -1, sharing memory: SharedMemory? = nil, messages: UnnamedFile? = nil,
    onEnd: @escaping @Sendable () -> Void = {}
  ) throws(Failure) -> ChildProcess {
    let input = try UnnamedFile(request)
    return try ChildProcess(
      executable: try HostExecutable.path(host),
      arguments: [Self.command, role.rawValue, Release.version, "\(getpid())"],
      streams: fx_process_streams(
        input: input.descriptor, output: -1, errors: messages?.descriptor ?? -1,
        channel: memory?.descriptor ?? channel),
      environment: environment, sharing: memory, onEnd: onEnd)
  }
}

/// A task on the side of the process that performs it.
package struct ReceivedTask: Sendable {
  package let role: ChildRole
  package let request: [UInt8]

  /// The descriptor of the channel.
  package static let channel = Int32(FX_CHILD_CHANNEL)

  /// The task of this process, with the limits of its role in force; nil if the arguments do not
  /// ask for `plugin-host`. Ends the process if they do and no fxrun of this version started it.
  package init?(_ arguments: [String]) {
    guard arguments.first == ChildTask.command else { return nil }
    fx_process_ignore_signals()
    guard arguments.count == 4, let role = ChildRole(rawValue: arguments[1]),
      let parent = Int32(arguments[3]), fcntl(Self.channel, F_SETFD, FD_CLOEXEC) == 0
    else { Self.refuse("this command is for fxrun's own use") }
    guard arguments[2] == Release.version else {
      Self.refuse(
        "error: fxrun \(Release.version) was started by fxrun \(arguments[2]); name a program of the "
          + "same version in FXRUN_HOST")
    }
    fx_process_follow(parent)
    self.role = role
    request = UnnamedFile.bytes(STDIN_FILENO)
    // Plugins that read it find no text.
    let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
    if nothing >= 0 {
      dup2(nothing, STDIN_FILENO)
      close(nothing)
    }
    role.limits.apply()
  }

  /// The memory that the parent shares, mapped until the process ends. Ends the process if there is
  /// none of this size.
  package func memory(minimumSize: Int) -> SharedMemory {
    guard let memory = SharedMemory(inherited: Self.channel, minimumSize: minimumSize) else {
      Self.refuse("this command is for fxrun's own use")
    }
    _ = Unmanaged.passRetained(memory)
    return memory
  }

  /// Ends the process, because the task makes no sense.
  package static func refuse(_ message: String) -> Never {
    _ = UnnamedFile.write("\(message)\n", to: STDERR_FILENO)
    _exit(64)
  }
}
