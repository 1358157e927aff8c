package import FxAudio
import Synchronization

/// Reads a source ahead on a thread of its own, so that rendering finds its frames ready.
///
/// One other thread takes them.
package final class SourceFeed: @unchecked Sendable {
  // Sendable: the source belongs to the reader thread until `stop`, the ring to both, the error is
  // published by the ring's end.
  package let name: String
  package let format: StreamFormat
  /// What the source said its length was when reading began.
  package let frameCount: Int?
  /// The taking side, for the render thread.
  let intake: Intake

  private let source: any AudioSource
  private let isStopped = Atomic<Bool>(false)
  private var failure: IOError?
  private var thread: WorkerThread?

  /// Starts reading at once.
  ///
  /// - Parameters:
  ///   - capacity: frames to be read ahead; nil for what suits the width.
  ///   - blockFrameCount: what is taken at once; four of these are read ahead.
  package init(
    _ source: any AudioSource, capacity: Int? = nil, blockFrameCount: Int = 0
  ) throws(IOError) {
    self.source = source
    name = source.name
    format = source.format
    frameCount = source.frameCount
    let ring = PlanarRing.make(
      channelCount: format.channelCount,
      minimumCapacity: PlanarRing.feedCapacity(
        channelCount: format.channelCount, capacity: capacity, blockFrameCount: blockFrameCount))
    intake = Intake(ring: ring, reader: .make(), taker: .make())
    var code: Int32 = 0
    // The body holds the feed weakly: `deinit` stops it.
    let context = Unmanaged.passUnretained(self)
    thread = WorkerThread(failure: &code) {
      context.takeUnretainedValue().readAhead()
    }
    guard thread != nil else {
      throw IOError(
        .threadUnavailable, name, "no thread to read it: \(IOError.systemMessage(code))")
    }
  }

  deinit {
    stop()
    intake.destroy()
  }

  /// Ends reading; what was read can still be taken.
  package func stop() {
    isStopped.store(true, ordering: .relaxed)
    source.interrupt()
    intake.reader.wake()
    thread?.join()
  }

  /// Waits until `frameCount` frames can be taken (or half of what is read ahead, where that is
  /// less), or all there will ever be.
  package func wait(frameCount: Int) {
    // The reader may sleep while half the ring is full.
    let wanted = min(frameCount, intake.ring.capacity / 2)
    intake.taker.sleep { intake.ring.readableCount >= wanted || intake.ring.isEnded }
  }

  /// The same for so many seconds at most.
  func wait(frameCount: Int, seconds: Double) {
    let wanted = min(frameCount, intake.ring.capacity / 2)
    intake.taker.sleep(seconds: seconds) {
      intake.ring.readableCount >= wanted || intake.ring.isEnded
    }
  }

  /// True when half of what is read ahead is there, or all there will ever be.
  var isReady: Bool {
    intake.ring.readableCount >= intake.ring.capacity / 2 || intake.ring.isEnded
  }

  /// True when so many frames can be taken (or half of what is read ahead, where that is less), or all
  /// there will ever be.
  func hasFrames(_ frameCount: Int) -> Bool {
    intake.ring.readableCount >= min(frameCount, intake.ring.capacity / 2) || intake.ring.isEnded
  }

  /// Takes up to `frameCount` frames that are ready. Returns how many.
  package func take(
    into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) -> Int {
    intake.take(into: channels, frameCount: frameCount)
  }

  /// True when the source has ended or failed and everything has been taken.
  package var isExhausted: Bool { intake.isExhausted }

  /// Why reading ended early; to be asked when `isExhausted`.
  package var error: IOError? { intake.ring.isEnded ? failure : nil }

  /// The source's warnings, complete once `isExhausted`.
  package var warnings: [String] { intake.ring.isEnded ? source.warnings : [] }

  private func readAhead() {
    let ring = intake.ring
    let block = min(8192, ring.capacity / 4)
    let width = format.channelCount
    let places = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: max(width, 1))
    defer { places.deallocate() }
    do throws(IOError) {
      while !isStopped.load(ordering: .relaxed) {
        let room = ring.writableCount
        guard room >= block else {
          // Half empty before reading goes on: few changes of thread.
          intake.reader.sleep {
            ring.writableCount >= ring.capacity / 2 || isStopped.load(ordering: .relaxed)
          }
          continue
        }
        var span = room
        for channel in 0..<width {
          let (place, count) = ring.writePointer(channel)
          (places + channel).initialize(to: place)
          span = min(span, count)
        }
        let count = try source.read(into: UnsafePointer(places), frameCount: span)
        if count == 0 { break }
        ring.advanceHead(count)
        intake.taker.wake()
      }
    } catch {
      failure = error
    }
    ring.end()
    intake.taker.wake()
  }
}

/// What the render thread holds of a feed.
struct Intake: BitwiseCopyable, @unchecked Sendable {
  // Sendable: made of views that are.
  let ring: PlanarRing
  let reader: Sleeper
  let taker: Sleeper

  func destroy() {
    ring.destroy()
    reader.destroy()
    taker.destroy()
  }

  // MARK: - Realtime

  @_noLocks
  func take(into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int) -> Int {
    let count = ring.take(into: channels, frameCount: frameCount)
    // The reader sleeps until half the ring is free; before that there is nothing to look at.
    if ring.readableCount <= ring.capacity / 2 { reader.wake() }
    return count
  }

  var isExhausted: Bool {
    @_noLocks get { ring.isEnded && ring.readableCount == 0 }
  }
}
