import CRealtime
import FxAudio
import Glibc
import Synchronization

/// The memory that a plugin's process shares with fxrun: a view, the same on both sides.
///
/// The blocks go through a ring of slots, one block each. fxrun's render thread fills a slot and
/// counts it as submitted; the process renders it and counts it as completed. Each count is written
/// by one side only and has its own cache line. A slot belongs to the process while it is submitted
/// and not completed.
struct HostExchange: @unchecked Sendable {
  // Sendable: a view. Counts, stage and order are atomics; the ownership of the rest is described
  // above.

  /// The sizes of all parts; the first bytes of the memory.
  struct Sizes: BitwiseCopyable, Equatable {
    /// Frames of a block.
    var frameCount: Int
    var inputCount: Int
    var outputCount: Int
    var parameterCount: Int
    var readingCount: Int
    /// Bytes of events per block in each direction; 0 for a plugin without events.
    var eventCapacity: Int
    /// Not 0 when the process signals every block, because the render thread waits for it.
    var signals: Int
  }

  /// The values of a block besides its samples.
  struct BlockHeader: BitwiseCopyable {
    /// On the unit's own timeline.
    var frame: Int
    /// The latency in frames that the plugin reports.
    var latency: Int
    /// Spans of the musical time, whether the time is known, and its revision.
    var spanCount: Int
    var isTimeKnown: Int
    var timeRevision: Int
    /// The first frame of the block with a NaN or infinite sample; negative for none.
    var badFrame: Int
  }

  /// The state of the process.
  enum Stage {
    static let starting: UInt32 = 0
    static let ready: UInt32 = 1
    static let refused: UInt32 = 2
  }

  /// Requests to the process besides blocks.
  enum Order {
    static let none: UInt32 = 0
    static let end: UInt32 = 1
    static let restart: UInt32 = 2
  }

  /// The process's report after it has instantiated the plugin.
  struct Report: BitwiseCopyable {
    var latency: Int
    /// -1 when it is not known.
    var tailFrames: Int
    var canRestart: Int
    /// Bytes of the message after the report, when the process refused.
    var messageSize: Int
  }

  static let messageCapacity = 4096

  let sizes: Sizes
  let stage: UnsafeMutablePointer<Atomic<UInt32>>
  let order: UnsafeMutablePointer<Atomic<UInt32>>
  /// Blocks so far.
  let submitted: UnsafeMutablePointer<Atomic<Int>>
  let completed: UnsafeMutablePointer<Atomic<Int>>
  /// Posted for the process: a new block or order.
  let request: UnsafeMutableRawPointer
  /// Posted for fxrun: the start, a finished order, and each block where the render thread waits.
  let answer: UnsafeMutableRawPointer
  let report: UnsafeMutablePointer<Report>
  private let message: UnsafeMutableRawPointer
  private let slots: UnsafeMutableRawPointer
  private let slotStride: Int
  private let readingsOffset: Int
  private let eventsOffset: Int
  private let inputsOffset: Int
  private let outputsOffset: Int
  private let channelStride: Int
  private let spansOffset: Int

  private static let line = 64
  private static let slotsStart = 1024 + messageCapacity

  static func size(_ sizes: Sizes) -> Int {
    slotsStart + slotCount * Places(sizes).slotStride
  }

  static let minimumSize = slotsStart

  private struct Places {
    let slotStride, readingsOffset, eventsOffset, inputsOffset, outputsOffset, channelStride,
      spansOffset: Int

    init(_ sizes: Sizes) {
      channelStride = rounded(sizes.frameCount * 4)
      readingsOffset = line + rounded(sizes.parameterCount * 4)
      eventsOffset = readingsOffset + rounded(sizes.readingCount * 4)
      inputsOffset = eventsOffset + 2 * eventStride(sizes)
      outputsOffset = inputsOffset + sizes.inputCount * channelStride
      spansOffset = outputsOffset + sizes.outputCount * channelStride
      slotStride =
        spansOffset + rounded(HostExchange.spanCapacity * MemoryLayout<TempoSpan>.stride)
    }
  }

  /// Bytes of the events of a block in one direction.
  private static func eventStride(_ sizes: Sizes) -> Int {
    sizes.eventCapacity == 0
      ? 0 : rounded(EventBuffer.byteCount(capacity: sizes.eventCapacity))
  }

  private static func rounded(_ size: Int) -> Int { (size + line - 1) / line * line }

  /// A view of initialized memory.
  init(at base: UnsafeMutableRawPointer) {
    let sizes = base.load(as: Sizes.self)
    let places = Places(sizes)
    self.sizes = sizes
    let line = HostExchange.line
    stage = (base + 2 * line).assumingMemoryBound(to: Atomic<UInt32>.self)
    order = (base + 3 * line).assumingMemoryBound(to: Atomic<UInt32>.self)
    submitted = (base + 4 * line).assumingMemoryBound(to: Atomic<Int>.self)
    completed = (base + 6 * line).assumingMemoryBound(to: Atomic<Int>.self)
    request = base + 8 * line
    answer = base + 10 * line
    report = (base + 12 * line).assumingMemoryBound(to: Report.self)
    message = base + 1024
    slots = base + HostExchange.slotsStart
    slotStride = places.slotStride
    readingsOffset = places.readingsOffset
    eventsOffset = places.eventsOffset
    inputsOffset = places.inputsOffset
    outputsOffset = places.outputsOffset
    channelStride = places.channelStride
    spansOffset = places.spansOffset
  }

  /// Initializes zeroed memory of `size(sizes)` bytes.
  static func make(at base: UnsafeMutableRawPointer, _ sizes: Sizes) -> HostExchange {
    base.storeBytes(of: sizes, as: Sizes.self)
    let exchange = HostExchange(at: base)
    exchange.stage.initialize(to: Atomic(Stage.starting))
    exchange.order.initialize(to: Atomic(Order.none))
    exchange.submitted.initialize(to: Atomic(0))
    exchange.completed.initialize(to: Atomic(0))
    fx_semaphore_prepare_shared(exchange.request)
    fx_semaphore_prepare_shared(exchange.answer)
    for slot in 0..<slotCount where sizes.eventCapacity > 0 {
      exchange.events(slot).layOut()
      exchange.givenEvents(slot).layOut()
    }
    return exchange
  }

  /// True when memory of `size` bytes contains everything that its header describes.
  func fits(_ size: Int) -> Bool {
    let counts = [
      sizes.frameCount, sizes.inputCount, sizes.outputCount, sizes.parameterCount,
      sizes.readingCount, sizes.eventCapacity,
    ]
    return counts.allSatisfy { (0...(1 << 30)).contains($0) } && HostExchange.size(sizes) <= size
  }

  /// The reason why the process refused.
  var refusal: String {
    get {
      let count = min(max(report.pointee.messageSize, 0), HostExchange.messageCapacity)
      return String(
        decoding: UnsafeRawBufferPointer(start: message, count: count), as: UTF8.self)
    }
    nonmutating set {
      let bytes = Array(newValue.utf8.prefix(HostExchange.messageCapacity))
      bytes.withUnsafeBytes { bytes in
        if let start = bytes.baseAddress {
          message.copyMemory(from: start, byteCount: bytes.count)
        }
      }
      report.pointee.messageSize = bytes.count
    }
  }

  // MARK: - Realtime

  /// A power of two.
  static var slotCount: Int {
    @_noLocks get { 4 }
  }

  /// The largest number of spans of the musical time per block; later ones are dropped.
  static var spanCapacity: Int {
    @_noLocks get { 5 }
  }

  /// Stores the musical time of a block.
  @_noLocks
  func note(_ time: MusicalTime, _ block: Int, from frame: Int) {
    let spans = spans(block)
    var count = 0
    var next = frame
    while count < HostExchange.spanCapacity, next < frame + sizes.frameCount {
      let stretch = time.stretch(at: next)
      spans[count] = stretch.span
      count += 1
      next = stretch.end
    }
    header(block).pointee.spanCount = count
    header(block).pointee.isTimeKnown = time.isKnown ? 1 : 0
    header(block).pointee.timeRevision = time.revision
  }

  @_noLocks
  func spans(_ block: Int) -> UnsafeMutablePointer<TempoSpan> {
    (slot(block) + spansOffset).assumingMemoryBound(to: TempoSpan.self)
  }

  @_noLocks
  private func slot(_ block: Int) -> UnsafeMutableRawPointer {
    slots + (block & (HostExchange.slotCount - 1)) * slotStride
  }

  @_noLocks
  func header(_ block: Int) -> UnsafeMutablePointer<BlockHeader> {
    slot(block).assumingMemoryBound(to: BlockHeader.self)
  }

  @_noLocks
  func parameters(_ block: Int) -> UnsafeMutablePointer<Float> {
    (slot(block) + 64).assumingMemoryBound(to: Float.self)
  }

  @_noLocks
  func readings(_ block: Int) -> UnsafeMutablePointer<Float> {
    (slot(block) + readingsOffset).assumingMemoryBound(to: Float.self)
  }

  /// The events for the plugin in a block.
  @_noLocks
  func events(_ block: Int) -> EventBuffer {
    EventBuffer(viewing: slot(block) + eventsOffset, capacity: sizes.eventCapacity)
  }

  /// The events that the plugin sends in a block.
  @_noLocks
  func givenEvents(_ block: Int) -> EventBuffer {
    EventBuffer(
      viewing: slot(block) + (eventsOffset + inputsOffset) / 2, capacity: sizes.eventCapacity)
  }

  @_noLocks
  func input(_ block: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    (slot(block) + inputsOffset + channel * channelStride).assumingMemoryBound(to: Float.self)
  }

  @_noLocks
  func output(_ block: Int, _ channel: Int) -> UnsafeMutablePointer<Float> {
    (slot(block) + outputsOffset + channel * channelStride).assumingMemoryBound(to: Float.self)
  }
}
