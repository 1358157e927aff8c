import FxAudio
import Glibc
import Synchronization

/// A stream from a web server: a file, or a radio station without an end.
final class HTTPStream: ByteStream {
  let name: String
  let byteCount: Int?
  let contentType: String
  private(set) var ioError: Failure?
  private let loader: HTTPLoader
  private let thread: WorkerThread
  private let isInterrupted = Atomic<Bool>(false)
  private let monitor: OpeningMonitor?
  private let hasTitles: Bool
  private var position = 0

  /// Waits for the first response.
  init(
    _ address: HTTPAddress, _ settings: StreamSettings, _ monitor: OpeningMonitor? = nil
  ) throws(Failure) {
    name = address.shown
    self.monitor = monitor
    // Requests have their own time limits.
    monitor?.notePipe()
    let loader = try HTTPLoader(address, settings, monitor)
    self.loader = loader
    var code: Int32 = 0
    guard let thread = WorkerThread(failure: &code, { loader.run() }) else {
      throw Failure(
        .threadUnavailable, name, "no thread to fetch it: \(Failure.systemMessage(code))")
    }
    self.thread = thread
    do throws(Failure) {
      let facts = try HTTPStream.answer(of: loader, monitor)
      byteCount = loader.isSeekable ? facts.wholeByteCount : nil
      contentType = facts.contentType
      hasTitles = facts.metadataInterval != nil
    } catch {
      loader.stop()
      thread.join()
      throw error
    }
  }

  deinit {
    loader.stop()
    thread.join()
  }

  var isCostly: Bool { true }
  var isUnending: Bool { loader.isUnending }
  var failure: Int32? { ioError == nil ? nil : EIO }

  /// A warning about the bytes, for the user.
  var warning: String? { loader.warning.withLock { $0 } }

  var wasInterrupted: Bool {
    isInterrupted.load(ordering: .relaxed) || monitor?.isGivenUp == true
  }

  func interrupt() {
    isInterrupted.store(true, ordering: .relaxed)
    loader.stop()
  }

  /// Takes the titles up to the reading position.
  func takeTitles() -> [String] { hasTitles ? loader.buffer.takeTitles() : [] }

  func read(_ target: UnsafeMutableRawPointer, _ count: Int) -> Int {
    guard count > 0 else { return 0 }
    if let byteCount, position >= byteCount { return 0 }
    if loader.buffer.move(to: position) { loader.wake() }
    while !wasInterrupted {
      switch loader.buffer.take(target, count, inPieces: hasTitles) {
      case .bytes(let got):
        position += got
        if loader.buffer.hasRoomAgain { loader.wake() }
        return got
      case .end: return 0
      case .failed(let error):
        ioError = error
        return -1
      case .nothing: loader.buffer.wait()
      }
    }
    return -1
  }

  /// Does not send a request yet, because the reader may seek again before it reads.
  func seek(to offset: Int) -> Bool {
    guard let byteCount, (0...byteCount).contains(offset) else { return false }
    position = offset
    return true
  }

  /// Reads the bytes after the sound, if the stream is recorded.
  func drain() {
    guard loader.isRecorded else { return }
    withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 16) { scratch in
      guard let start = scratch.baseAddress else { return }
      while read(start, scratch.count) > 0 {}
    }
  }

  private static func answer(
    of loader: HTTPLoader, _ monitor: OpeningMonitor?
  ) throws(Failure) -> HTTPFacts {
    while monitor?.isGivenUp != true {
      if let facts = loader.facts.withLock({ $0 }) { return facts }
      var byte: UInt8 = 0
      // Takes no bytes; only checks for a failure.
      if case .failed(let error) = loader.buffer.take(&byte, 0, inPieces: false) { throw error }
      loader.buffer.wait()
    }
    throw Failure(.interrupted, loader.address.shown, "opening was stopped")
  }
}
