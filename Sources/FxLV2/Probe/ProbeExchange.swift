import Synchronization

/// The memory that a plugin's process shares with us while it is tried out: how far it has come, and
/// what came out. Behind it in the same file is what the process wrote to standard error.
struct ProbeExchange {
  struct Figures: BitwiseCopyable {
    /// 1 when the plugin was made.
    var isMade = 0
    var latency = 0
    var frames = 0
    /// Processor time of the frames.
    var seconds = 0.0
    var peak = 0.0
    var isFinite = 1
    /// 1 when the plugin has outputs and something should come out of them.
    var shouldSound = 0
    var prints = 0
    /// Bytes of the message that says why it was not made.
    var messageSize = 0
  }

  static let messageCapacity = 4096
  static let minimumSize = 1024 + messageCapacity

  let stage: UnsafeMutablePointer<Atomic<UInt32>>
  let figures: UnsafeMutablePointer<Figures>
  private let base: UnsafeMutableRawPointer

  static func size(request: [UInt8]) -> Int { minimumSize + request.count }

  /// A view of memory that is zero or has been laid out.
  init(at base: UnsafeMutableRawPointer) {
    self.base = base
    stage = (base + 64).assumingMemoryBound(to: Atomic<UInt32>.self)
    figures = (base + 128).assumingMemoryBound(to: Figures.self)
  }

  static func make(at base: UnsafeMutableRawPointer, request: [UInt8]) -> ProbeExchange {
    let exchange = ProbeExchange(at: base)
    exchange.stage.initialize(to: Atomic(0))
    exchange.figures.initialize(to: Figures())
    base.storeBytes(of: request.count, as: Int.self)
    request.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress {
        (base + minimumSize).copyMemory(from: start, byteCount: bytes.count)
      }
    }
    return exchange
  }

  /// What the memory of so many bytes asks for; nil when it is not that.
  func request(size: Int) -> HostRequest? {
    let count = base.load(as: Int.self)
    guard count >= 0, count <= size - ProbeExchange.minimumSize else { return nil }
    return HostRequest(
      UnsafeRawBufferPointer(start: base + ProbeExchange.minimumSize, count: count))
  }

  func enter(_ stage: PluginVerdict.Stage) {
    self.stage.pointee.store(stage.rawValue, ordering: .releasing)
  }

  var message: String {
    get {
      let count = min(max(figures.pointee.messageSize, 0), ProbeExchange.messageCapacity)
      return String(
        decoding: UnsafeRawBufferPointer(start: base + 1024, count: count), as: UTF8.self)
    }
    nonmutating set {
      let bytes = Array(newValue.utf8.prefix(ProbeExchange.messageCapacity))
      bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
          (base + 1024).copyMemory(from: start, byteCount: bytes.count)
        }
      }
      figures.pointee.messageSize = bytes.count
    }
  }
}
