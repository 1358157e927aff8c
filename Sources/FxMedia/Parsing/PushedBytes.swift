package import FxAudio

/// Bytes that are pushed piece by piece to code that reads them. That code runs on its own thread.
/// Exactly one of the two sides runs at any time.
package final class PushedBytes: ByteStream, @unchecked Sendable {
  // Sendable: the semaphores let one side run while the other waits.

  /// Why the reading side has stopped.
  package enum Pause {
    case needsBytes
    /// It has an event to report.
    case event(SoundEvent)
    case ended
  }

  let name: String
  /// nil if the reader must not seek back.
  let byteCount: Int?
  let isLocal = false
  /// The offset of the next byte that is needed.
  package private(set) var wantedOffset = 0
  private(set) var holes: [Int] = []
  private(set) var wasInterrupted = false
  /// Bytes for which a seek does not ask again; nil if the reader must not seek back.
  let kept: KeptBytes?
  /// True if reading continues at an estimated place.
  package private(set) var isEstimated = false
  private var chunk: [UInt8] = []
  private var chunkOffset = 0
  private var isFinished = false
  private var pause = Pause.needsBytes
  private static let recentByteCount = 1 << 16
  private let go = Wakeup.make()
  private let stop = Wakeup.make()
  private var thread: WorkerThread?

  /// - Parameters:
  ///   - byteCount: nil if the reader must not seek back.
  ///   - kept: earlier bytes of the same stream.
  package init(name: String, byteCount: Int?, kept: KeptBytes? = nil) {
    self.name = name
    self.byteCount = byteCount
    self.kept = kept
  }

  deinit {
    go.destroy()
    stop.destroy()
  }

  /// Runs the reading side up to its first pause.
  package func start(_ body: @escaping (PushedBytes) -> Void) throws(Failure) -> Pause {
    var code: Int32 = 0
    thread = WorkerThread(failure: &code) { [self] in
      go.wait()
      body(self)
      pause = .ended
      stop.signal()
    }
    guard thread != nil else {
      throw Failure(
        .threadUnavailable, name, "no thread to parse it: \(Failure.systemMessage(code))")
    }
    return resume()
  }

  /// Runs the reading side up to its next pause.
  package func resume() -> Pause {
    if case .ended = pause { return pause }
    go.signal()
    stop.wait()
    return pause
  }

  /// True if the reading side has ended.
  package var hasEnded: Bool { if case .ended = pause { true } else { false } }

  /// Pushes the bytes starting at `wantedOffset`.
  ///
  /// - Parameter isDiscontinuous: bytes are missing before them.
  package func push(_ bytes: [UInt8], isDiscontinuous: Bool = false) -> Pause {
    if isDiscontinuous, wantedOffset > holes.last ?? 0 { holes.append(wantedOffset) }
    if byteCount != nil, wantedOffset == chunkOffset + chunk.count {
      // A reader may go back a little.
      if chunk.count > 2 * PushedBytes.recentByteCount {
        let excess = chunk.count - PushedBytes.recentByteCount
        chunk.removeFirst(excess)
        chunkOffset += excess
      }
      chunk += bytes
    } else {
      chunk = bytes
      chunkOffset = wantedOffset
    }
    return resume()
  }

  /// Signals the end of the bytes.
  package func finish() -> Pause {
    isFinished = true
    return resume()
  }

  /// Ends the reading side.
  package func cancel() {
    wasInterrupted = true
    // If no thread could be started, nothing would answer.
    guard let thread else { return }
    while true {
      if case .ended = resume() { break }
    }
    thread.join()
  }

  // MARK: The reading side

  /// Reports an event to the other side. False when parsing was cancelled.
  func report(_ event: SoundEvent) -> Bool {
    wait(.event(event))
    return !wasInterrupted
  }

  private func wait(_ reason: Pause) {
    guard !wasInterrupted else { return }
    pause = reason
    stop.signal()
    go.wait()
  }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    while !wasInterrupted {
      if let held = kept?.bytes(at: wantedOffset, count), !held.isEmpty {
        held.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          target.copyMemory(from: start, byteCount: held.count)
        }
        wantedOffset += held.count
        return held.count
      }
      let place = wantedOffset - chunkOffset
      if chunk.indices.contains(place) {
        let available = min(count, chunk.count - place)
        chunk.withUnsafeBytes { bytes in
          guard let start = bytes.baseAddress else { return }
          target.copyMemory(from: start + place, byteCount: available)
        }
        wantedOffset += available
        return available
      }
      if isFinished || byteCount.map({ wantedOffset >= $0 }) == true { return 0 }
      if byteCount == nil { chunk = [] }
      wait(.needsBytes)
    }
    return -1
  }

  func seek(to offset: Int) -> Bool {
    guard let byteCount, (0...byteCount).contains(offset) else { return false }
    wantedOffset = offset
    return true
  }

  func interrupt() {}

  func noteEstimate() { isEstimated = true }

  /// A skip of more bytes than this asks for bytes farther on.
  let skippedByteCount = 1 << 12
}
