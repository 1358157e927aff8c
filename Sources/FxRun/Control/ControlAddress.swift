import FxAudio
import FxKit
import Glibc

/// The address for control requests. A name means a socket in the user's runtime folder; a text
/// with a slash is the path of a socket.
struct ControlAddress {
  /// The address as the user gave it.
  let name: String
  let path: String

  init(_ name: String) throws(ChainFailure) {
    self.name = name
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw ChainFailure(.request, code: .usage, "a control socket has a name or a path")
    }
    path = name.contains("/") ? name : "\(try Self.runtimeFolder(for: name))/fxrun/\(name).sock"
    guard path.utf8.count <= Self.longestPath else {
      throw ChainFailure(
        .request, code: .usage,
        "the path of a socket has at most \(Self.longestPath) bytes, and '\(path)' has "
          + "\(path.utf8.count)")
    }
  }

  /// The longest path that fits into `sun_path`, without its end.
  private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  private static func runtimeFolder(for name: String) throws(ChainFailure) -> String {
    if let folder = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), folder.hasPrefix("/") {
      return folder
    }
    let own = "/run/user/\(getuid())"
    if access(own, W_OK) == 0 { return own }
    throw ChainFailure(
      .request, code: .usage,
      "there is no folder for sockets by name (XDG_RUNTIME_DIR is not set): give a path, "
        + "./\(name).sock")
  }

  /// The names of all existing sockets.
  static var names: [String] {
    guard let folder = try? runtimeFolder(for: "name"), let listing = opendir("\(folder)/fxrun")
    else { return [] }
    defer { closedir(listing) }
    var names: [String] = []
    while let entry = readdir(listing) {
      let file = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if file.hasSuffix(".sock") { names.append(String(file.dropLast(5))) }
    }
    return names.sorted()
  }

  /// Creates the folder of a named socket, accessible only to the user.
  func makeFolder() {
    guard !name.contains("/") else { return }
    mkdir(folder, 0o700)
  }

  /// The socket's folder.
  var folder: String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Passes the address to a system call.
  func with<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }

  /// Connects to the process that listens there, or returns the `errno`: EAGAIN if it does not
  /// accept within `timeout` seconds. Sending has the same limit; 0 means no limit.
  func connect(timeout: Double) -> (descriptor: Int32, error: Int32) {
    let descriptor = socket(
      AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return (-1, errno) }
    var limit = timeval(
      tv_sec: Int(timeout), tv_usec: Int(timeout.truncatingRemainder(dividingBy: 1) * 1e6))
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    guard with({ Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let error = errno
      close(descriptor)
      return (-1, error)
    }
    return (descriptor, 0)
  }

  static func reason(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
