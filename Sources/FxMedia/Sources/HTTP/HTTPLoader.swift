import COptional
import CRealtime
import FxAudio
import Synchronization

/// Fetches the bytes of a stream into its buffer, on its own thread. It reconnects after a broken
/// connection, and fetches from a different offset when the reader seeks.
final class HTTPLoader: @unchecked Sendable {
  // Sendable: everything that is not atomic or locked belongs to the fetching thread.
  let address: HTTPAddress
  let buffer = HTTPBuffer()
  /// The facts of the first response; nil before it arrives.
  let facts = Mutex<HTTPFacts?>(nil)
  private let settings: StreamSettings
  private let recording: StreamRecording?
  private let monitor: OpeningMonitor?
  private let isStopped = Atomic<Bool>(false)
  private let multi: UnsafeMutableRawPointer
  private var splitter: ICYSplitter?
  /// Bytes at the start of a response that were fetched before.
  private var surplus = 0
  private var attempts = 0
  private var brokeAt: Double?
  /// The offset where a response ended before its announced length.
  private var shortPlace: Int?
  let warning = Mutex<String?>(nil)

  init(
    _ address: HTTPAddress, _ settings: StreamSettings, _ monitor: OpeningMonitor?
  ) throws(Failure) {
    guard fx_curl_load() != 0 else {
      throw Failure(
        .unsupportedFormat, address.shown,
        "fxrun reads addresses with the library libcurl; install it (on Debian: apt install libcurl4), "
          + "or save the file first")
    }
    guard let multi = fx_curl_multi_init() else {
      throw Failure(.outOfMemory, address.shown, "no memory to fetch it")
    }
    self.multi = multi
    self.address = address
    self.settings = settings
    self.monitor = monitor
    recording = settings.recording?.claimed(for: address.shown)
  }

  deinit { fx_curl_multi_cleanup(multi) }

  /// Stops fetching at once. From any thread.
  func stop() {
    isStopped.store(true, ordering: .relaxed)
    wake()
  }

  /// Wakes the fetching thread, so that it checks the buffer. From any thread.
  func wake() { fx_curl_multi_wakeup(multi) }

  /// True if any byte range can be requested.
  var isSeekable: Bool {
    facts.withLock { facts in
      guard let facts, recording == nil else { return false }
      return facts.acceptsRanges && facts.metadataInterval == nil && facts.wholeByteCount != nil
    }
  }

  /// True for a radio station, which has no end.
  var isUnending: Bool {
    facts.withLock { $0.map { $0.isStation && $0.contentLength == nil } ?? false }
  }

  var isRecorded: Bool { recording != nil }

  private var isGivenUp: Bool {
    isStopped.load(ordering: .relaxed) || monitor?.isGivenUp == true
  }

  // MARK: The thread

  func run() {
    while !isGivenUp {
      let (place, generation) = buffer.request
      switch fetch(place, generation) {
      case .stopped: continue
      case .complete:
        guard let cut = cut(generation) else {
          finish(generation)
          break
        }
        if goesOn(cut, generation) { continue }
      case .failed(let failure):
        if goesOn(failure, generation) { continue }
      }
      // The reader may seek back, and then fetching restarts.
      while !isGivenUp, buffer.isCurrent(generation) {
        fx_curl_multi_wait(multi, 1000)
      }
      attempts = 0
    }
  }

  /// Why a response that has ended is not the end of the stream; nil if it is.
  private func cut(_ generation: Int) -> HTTPFailure? {
    if isUnending {
      return HTTPFailure(.unreadable, "the station closed the connection", .always)
    }
    let (place, current) = buffer.request
    guard current == generation, let whole = facts.withLock({ $0?.wholeByteCount }), place < whole
    else { return nil }
    return HTTPFailure(
      .truncated, "the server sent \(place) of \(whole) bytes and ended the answer", .always)
  }

  private func fetch(_ place: Int, _ generation: Int) -> HTTPTransfer.Outcome {
    let first = facts.withLock { $0 }
    surplus = 0
    let transfer = HTTPTransfer(settings.limits) { [unowned self] (answer) throws(HTTPFailure) in
      try begin(answer, at: place, generation)
    } takes: { [unowned self] (bytes) throws(HTTPFailure) in
      guard buffer.isCurrent(generation) else { return false }
      guard buffer.hasRoom(for: bytes.count) else { return false }
      try take(bytes, generation)
      return true
    }
    return transfer.run(
      HTTPTransfer.Request(
        address: address.text, userAgent: settings.userAgent,
        start: isUnending ? 0 : place, version: first?.version),
      on: multi
    ) {
      !isGivenUp && buffer.isCurrent(generation)
    } hasRoom: {
      buffer.hasRoomAgain
    }
  }

  /// Handles the start of a response: the first one, or one that continues after a broken
  /// connection.
  private func begin(
    _ answer: HTTPFacts, at place: Int, _ generation: Int
  ) throws(HTTPFailure) {
    monitor?.noteRead()
    if let compression = answer.compression {
      throw HTTPFailure(
        .unsupportedFormat,
        "its server sends it compressed (\(compression)), which fxrun did not ask for; download it "
          + "and decompress it first")
    }
    splitter = answer.metadataInterval.flatMap { ICYSplitter(interval: $0) }
    guard let first = facts.withLock({ $0 }) else {
      try check(answer, from: 0)
      facts.withLock { $0 = answer }
      brokeAt = nil
      if isUnending { recording?.markUnending() }
      if answer.isStation { report(.station, stationWords(answer)) }
      return
    }
    if !isUnending {
      guard first.isSameFile(as: answer) else {
        throw Self.changed
      }
      // With status 200 the server sends the whole file.
      if answer.status == 206 { try check(answer, from: place) } else { surplus = place }
    }
  }

  /// Refuses a part that does not begin where it was requested.
  private func check(_ answer: HTTPFacts, from place: Int) throws(HTTPFailure) {
    guard answer.status == 206, answer.rangeStart != place else { return }
    let sent = answer.rangeStart.map { "from byte \($0)" } ?? "without a valid Content-Range"
    throw HTTPFailure(
      .damaged,
      "the server sent a part \(sent) (206) where fxrun asked for "
        + (place == 0 ? "the whole file" : "the part from byte \(place)"))
  }

  /// Reports the first new byte after a broken connection.
  private func reportReturn() {
    guard let since = brokeAt else { return }
    brokeAt = nil
    let seconds = shown(fx_monotonic_seconds() - since)
    if isUnending {
      report(
        .gap,
        "plays again after \(seconds) s; the sound that the station sent meanwhile is missing")
    } else {
      report(.resumed, "goes on after \(seconds) s where it broke; nothing is missing")
    }
  }

  private static let changed = HTTPFailure(
    .damaged, "the file on the server changed while it was read")

  private func take(
    _ bytes: UnsafeRawBufferPointer, _ generation: Int
  ) throws(HTTPFailure) {
    monitor?.noteRead()
    let skipped = min(surplus, bytes.count)
    let isSame = buffer.matches(
      UnsafeRawBufferPointer(rebasing: bytes[..<skipped]), at: buffer.request.place - surplus)
    guard isSame else { throw Self.changed }
    surplus -= skipped
    let fresh = UnsafeRawBufferPointer(rebasing: bytes[skipped...])
    guard !fresh.isEmpty else { return }
    reportReturn()
    attempts = 0
    shortPlace = nil
    guard var splitter else {
      keep(fresh, generation)
      return
    }
    splitter.split(fresh) {
      keep($0, generation)
    } metadata: { block in
      if let title = ICYMetadata.title(block) { buffer.append(title: title) }
    }
    self.splitter = splitter
  }

  private func keep(_ bytes: UnsafeRawBufferPointer, _ generation: Int) {
    buffer.append(bytes, generation)
    recording?.write(bytes)
  }

  private func finish(_ generation: Int) {
    recording?.complete()
    buffer.complete(generation)
  }

  /// Handles a failure. True to try again, after a pause. Otherwise the error goes to the reader;
  /// but the sound of a station is complete wherever it ends.
  private func goesOn(_ failure: HTTPFailure, _ generation: Int) -> Bool {
    let hasBytes = facts.withLock { $0 != nil }
    if failure.code == .truncated, announcesTooMuch() {
      finish(generation)
      return false
    }
    attempts += 1
    let isEndless = settings.limits.isPatient && hasBytes && failure.code != .damaged
    let isWorthIt = failure.retry == .always || failure.retry == .onceAnswered && hasBytes
    guard isEndless || isWorthIt && attempts < settings.limits.attemptCount else {
      let times = attempts > 1 ? ", after \(attempts) attempts" : ""
      end(with: Failure(failure.code, address.shown, failure.message + times), generation)
      return false
    }
    brokeAt = brokeAt ?? fx_monotonic_seconds()
    let pause = min(
      max(settings.limits.pause * Double(1 << min(attempts - 1, 10)), failure.retryAfter ?? 0),
      settings.limits.longestPause)
    let limit = isEndless ? "" : " of \(settings.limits.attemptCount)"
    report(
      .reconnecting,
      "\(failure.message); fxrun tries again in \(shown(pause)) s (attempt \(attempts + 1)\(limit))"
    )
    wait(pause)
    return true
  }

  /// Ends the stream, because it cannot be fetched any more.
  private func end(with error: Failure, _ generation: Int) {
    guard isUnending, buffer.request.place > 0 else {
      buffer.fail(error, generation)
      return
    }
    let message = "the station has ended: \(error.message)"
    report(.gap, message)
    warning.withLock { $0 = message }
    finish(generation)
  }

  /// True if two responses end at the same byte, before the announced length.
  private func announcesTooMuch() -> Bool {
    let place = buffer.request.place
    guard let announced = facts.withLock({ $0?.wholeByteCount }), place < announced else {
      return false
    }
    guard shortPlace == place else {
      shortPlace = place
      return false
    }
    warning.withLock {
      $0 = "truncated: the server announced \(announced) bytes and sends \(place); decoding those"
    }
    return true
  }

  private func wait(_ seconds: Double) {
    let end = fx_monotonic_seconds() + seconds
    let generation = buffer.request.generation
    while !isGivenUp, buffer.isCurrent(generation) {
      let left = end - fx_monotonic_seconds()
      guard left > 0 else { return }
      fx_curl_multi_wait(multi, Int32(min(left * 1000 + 1, 1000)))
    }
  }

  private func report(_ kind: StreamNews.Item.Kind, _ message: String) {
    settings.news.add(StreamNews.Item(kind, address.shown, message))
  }

  private func stationWords(_ answer: HTTPFacts) -> String {
    let facts = [
      answer.station.map { "'\($0)'" }, answer.genre, answer.bitRate.map { "\($0) kb/s" },
    ]
    let words = facts.compactMap { $0 }.filter { !$0.isEmpty }
    return words.isEmpty ? "is a station" : "is the station \(words.joined(separator: ", "))"
  }
}
