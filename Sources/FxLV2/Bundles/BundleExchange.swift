import FxAudio
import Glibc
import Synchronization

/// The memory that a process shares with fxrun while it reads bundles: the request, the progress,
/// and the problem of each bundle.
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
  static let minimumSize = headerSize

  /// The number of bundles that the process has started to read.
  let begun: UnsafeMutablePointer<Atomic<Int>>
  private let base: UnsafeMutableRawPointer

  static func size(count: Int, request: [UInt8]) -> Int {
    headerSize + count * resultSize + request.count
  }

  /// A view of memory that is zero or initialized.
  init(at base: UnsafeMutableRawPointer) {
    self.base = base
    begun = (base + 64).assumingMemoryBound(to: Atomic<Int>.self)
  }

  static func make(at base: UnsafeMutableRawPointer, count: Int, request: [UInt8])
    -> BundleExchange
  {
    let exchange = BundleExchange(at: base)
    exchange.begun.initialize(to: Atomic(0))
    base.storeBytes(of: request.count, as: Int.self)
    base.storeBytes(of: count, toByteOffset: 8, as: Int.self)
    request.withUnsafeBytes { bytes in
      if let start = bytes.baseAddress {
        (base + headerSize + count * resultSize).copyMemory(
          from: start, byteCount: bytes.count)
      }
    }
    return exchange
  }

  /// The request in memory of `size` bytes; nil when it is not valid.
  func request(size: Int) -> BundleRequest? {
    let length = base.load(as: Int.self)
    let count = base.load(fromByteOffset: 8, as: Int.self)
    guard (0...1_000_000).contains(count), length >= 0,
      BundleExchange.headerSize + count * BundleExchange.resultSize + length <= size
    else { return nil }
    return BundleRequest(
      UnsafeRawBufferPointer(
        start: base + BundleExchange.headerSize + count * BundleExchange.resultSize, count: length))
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

/// The bundles that a process must read.
struct BundleRequest: Sendable {
  /// Folders with a slash at the end, or files with a state.
  var paths: [String]
  /// fxrun's process; the reading process ends with it.
  var parent: Int32

  var bytes: [UInt8] {
    var writer = ByteWriter()
    writer.put(paths) { $0.put($1) }
    writer.put(Int(parent))
    return writer.bytes
  }

  init(paths: [String], parent: Int32) {
    self.paths = paths
    self.parent = parent
  }

  /// nil when the bytes are not a request.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var reader = ByteReader(bytes)
    paths = reader.list { $0.text() }
    parent = Int32(truncatingIfNeeded: reader.int())
    guard reader.isSound else { return nil }
  }
}
