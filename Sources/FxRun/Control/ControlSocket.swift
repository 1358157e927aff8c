import FxAudio
import FxKit
import Glibc
import Synchronization

/// The socket that the server listens on. It exists from the start of playback to the end of the
/// process.
final class ControlSocket: Sendable {
  let address: ControlAddress
  let descriptor: Int32
  private let identity: FileIdentity

  /// The socket to remove before the process ends.
  private static let open = Mutex<ControlSocket?>(nil)

  /// Listens at an address that no other process listens at. A socket left by a process that has
  /// ended is replaced. Only the user can connect.
  init(_ address: ControlAddress) throws(ChainFailure) {
    self.address = address
    address.makeFolder()
    // The lock on the folder ensures that only one process checks and replaces the socket at a
    // time.
    let folder = Glibc.open(address.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw Self.failure(address, "its folder cannot be opened: \(ControlAddress.reason(errno))")
    }
    flock(folder, LOCK_EX)
    defer { close(folder) }
    descriptor = socket(
      AF_UNIX,
      Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw Self.failure(address, ControlAddress.reason(errno)) }
    var status = stat()
    do throws(ChainFailure) {
      // On Linux the socket file gets the descriptor's mode.
      fchmod(descriptor, 0o600)
      try Self.bind(descriptor, to: address)
      guard listen(descriptor, 16) == 0 else {
        throw Self.failure(address, ControlAddress.reason(errno))
      }
      chmod(address.path, 0o600)
      guard stat(address.path, &status) == 0 else {
        throw Self.failure(address, ControlAddress.reason(errno))
      }
    } catch {
      close(descriptor)
      throw error
    }
    identity = FileIdentity(status)
    Self.open.withLock { $0 = self }
  }

  private static func bind(
    _ descriptor: Int32, to address: ControlAddress
  ) throws(ChainFailure) {
    for attempt in 0..<2 {
      if address.with({ Glibc.bind(descriptor, $0, $1) }) == 0 { return }
      guard errno == EADDRINUSE, attempt == 0 else { break }
      var status = stat()
      if stat(address.path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
        throw failure(address, "there is a file that is not a socket")
      }
      let (other, error) = address.connect(timeout: 1)
      if other >= 0 { close(other) }
      // A process whose queue is full is alive too.
      guard error == ECONNREFUSED || error == ENOENT else {
        throw ChainFailure(
          .request, code: .addressInUse,
          "another fxrun takes requests at '\(address.name)' (\(address.path)): "
            + "give this one another name, or end the other with: fxrun control "
            + "\(address.name) stop")
      }
      unlink(address.path)
    }
    throw failure(address, ControlAddress.reason(errno))
  }

  private static func failure(_ address: ControlAddress, _ why: String) -> ChainFailure {
    ChainFailure(
      .output, code: .noSocket, "\(address.path): cannot listen there: \(why)",
      path: address.path)
  }

  /// Removes the socket file, unless another process has replaced it.
  func remove() {
    guard FileIdentity(path: address.path) == identity else { return }
    unlink(address.path)
    Self.open.withLock { $0 = nil }
  }

  /// For a process that ends at once.
  static func removeAll() { open.withLock { $0 }?.remove() }
}
