import FxAudio
import Glibc
import Synchronization

/// The memory that a process shares with fxrun while it reads bundles: the progress, and the problem
/// of each bundle.
struct BundleExchange {
  /// The result of a bundle.
  enum Outcome: Int {
    case none, good, bad
  }

  private struct Result: BitwiseCopyable {
    var outcome = 0
    var messageSize = 0
  }

  private static let headerSize = 256
  private static let resultSize = 512
  private static let messageCapacity = resultSize - MemoryLayout<Result>.size

  /// The number of bundles that the process has started to read.
  let begun: UnsafeMutablePointer<Atomic<Int>>
  private let base: UnsafeMutableRawPointer

  static func size(count: Int) -> Int { headerSize + count * resultSize }

  /// A view of memory that is zero or initialized.
  init(at base: UnsafeMutableRawPointer) {
    self.base = base
    begun = (base + 64).assumingMemoryBound(to: Atomic<Int>.self)
  }

  static func make(at base: UnsafeMutableRawPointer) -> BundleExchange {
    let exchange = BundleExchange(at: base)
    exchange.begun.initialize(to: Atomic(0))
    return exchange
  }

  private func result(_ index: Int) -> UnsafeMutableRawPointer {
    base + BundleExchange.headerSize + index * BundleExchange.resultSize
  }

  /// Stores the result of a bundle: its problem, or nil.
  func finish(_ index: Int, problem: String?) {
    let place = result(index)
    let bytes = Array((problem ?? "").utf8.prefix(BundleExchange.messageCapacity))
    bytes.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress {
        (place + MemoryLayout<Result>.size).copyMemory(from: start, byteCount: bytes.count)
      }
    }
    let outcome: Outcome = problem == nil ? .good : .bad
    place.storeBytes(
      of: Result(outcome: outcome.rawValue, messageSize: bytes.count), as: Result.self)
  }

  func outcome(_ index: Int) -> Outcome {
    Outcome(rawValue: result(index).load(as: Result.self).outcome) ?? .none
  }

  func problem(_ index: Int) -> String {
    let count = min(
      max(result(index).load(as: Result.self).messageSize, 0), BundleExchange.messageCapacity)
    return String(
      decoding: UnsafeRawBufferPointer(
        start: result(index) + MemoryLayout<Result>.size, count: count), as: UTF8.self)
  }
}
