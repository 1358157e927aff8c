import Synchronization

/// The memory that a probe's process shares with fxrun: its progress and its results.
struct ProbeExchange {
  struct Figures: BitwiseCopyable {
    /// 1 when the plugin was instantiated.
    var isMade = 0
    var latency = 0
    var frames = 0
    /// Processor time of the frames.
    var seconds = 0.0
    var peak = 0.0
    var isFinite = 1
    /// 1 when the plugin has outputs that should have sound.
    var shouldSound = 0
    var prints = 0
    /// Bytes of the message that says why it was not instantiated.
    var messageSize = 0
  }

  static let messageCapacity = 4096
  static let size = 1024 + messageCapacity

  let stage: UnsafeMutablePointer<Atomic<UInt32>>
  let figures: UnsafeMutablePointer<Figures>
  private let base: UnsafeMutableRawPointer

  /// A view of memory that is zero or initialized.
  init(at base: UnsafeMutableRawPointer) {
    self.base = base
    stage = (base + 64).assumingMemoryBound(to: Atomic<UInt32>.self)
    figures = (base + 128).assumingMemoryBound(to: Figures.self)
  }

  static func make(at base: UnsafeMutableRawPointer) -> ProbeExchange {
    let exchange = ProbeExchange(at: base)
    exchange.stage.initialize(to: Atomic(0))
    exchange.figures.initialize(to: Figures())
    return exchange
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
