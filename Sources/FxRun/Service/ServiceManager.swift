import Glibc

/// Reports the state of this process to the service manager that started it, with the protocol of
/// `sd_notify(3)`: datagrams of lines to the socket in `NOTIFY_SOCKET`. Does nothing without that
/// variable.
struct ServiceManager {
  private let descriptor: Int32
  private var address: sockaddr_un
  private let addressLength: socklen_t
  /// Seconds between two watchdog messages, half of the manager's limit; nil without a watchdog.
  private let interval: Double?
  private var lastSign = -Double.infinity
  private var lastFrame = -1
  private var isReady = false

  /// nil outside a service that wants reports.
  init?() {
    guard let path = getenv("NOTIFY_SOCKET").map({ String(cString: $0) }) else { return nil }
    var bytes = Array(path.utf8)
    guard let first = bytes.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
      return nil
    }
    // The name of an abstract socket begins with a zero byte.
    if first == UInt8(ascii: "@") { bytes[0] = 0 }
    address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    let start = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
    addressLength = socklen_t(start + bytes.count)
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    interval = Self.interval
  }

  /// Half of `WATCHDOG_USEC`, if it applies to this process.
  private static var interval: Double? {
    func variable(_ name: String) -> Double? {
      getenv(name).flatMap { Double(String(cString: $0)) }
    }
    if let process = variable("WATCHDOG_PID"), process != Double(getpid()) { return nil }
    guard let microseconds = variable("WATCHDOG_USEC"), microseconds > 0 else { return nil }
    return microseconds / 2e6
  }

  /// Called about ten times a second during playback. `frame` grows while the render thread is
  /// alive, even while it waits for its device.
  mutating func look(frame: Int, now: Double) {
    if !isReady {
      isReady = true
      send("READY=1\nSTATUS=playing")
    }
    guard let interval, now - lastSign >= interval, frame != lastFrame else { return }
    (lastSign, lastFrame) = (now, frame)
    send("WATCHDOG=1")
  }

  /// Sets the status text of `systemctl status`.
  func show(status: String) { send("STATUS=\(status.split(separator: "\n").first ?? "")") }

  func stopping() { send("STOPPING=1") }

  private func send(_ text: String) {
    let bytes = Array(text.utf8)
    withUnsafePointer(to: address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        _ = sendto(
          descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT),
          address, addressLength)
      }
    }
  }
}
