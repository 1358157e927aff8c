import COptional
import CRealtime
import FxAudio

/// One request and its response, on the fetching thread.
final class HTTPTransfer {
  enum Outcome { case complete, failed(HTTPFailure), stopped }

  /// The parameters of a request.
  struct Request {
    var address: String
    var userAgent: String
    /// The first byte wanted; 0 for the whole file.
    var start = 0
    /// The part is only wanted if the file still has this version.
    var version: String?
  }

  /// The most bytes of headers, those of redirects included. libcurl limits only each line.
  static let headerLimit = 100 << 10

  private(set) var facts = HTTPFacts()
  private let limits: StreamLimits
  /// Called when the headers of a successful response are complete.
  private let begins: (HTTPFacts) throws(HTTPFailure) -> Void
  /// Takes bytes; false if there is no room for them now.
  private let takes: (UnsafeRawBufferPointer) throws(HTTPFailure) -> Bool
  private var hasBegun = false
  private var failure: HTTPFailure?
  private var isPaused = false
  private var lastArrival = 0.0
  private var byteCount = 0
  private var isSmall = true
  /// As soon as so many bytes were taken, the server may send more ahead.
  private static let smallByteCount = 1 << 20

  init(
    _ limits: StreamLimits, begins: @escaping (HTTPFacts) throws(HTTPFailure) -> Void,
    takes: @escaping (UnsafeRawBufferPointer) throws(HTTPFailure) -> Bool
  ) {
    self.limits = limits
    self.begins = begins
    self.takes = takes
  }

  /// Fetches until the response has ended.
  ///
  /// - Parameters:
  ///   - isWanted: false to stop; polled after each wake of `multi` and ten times a second.
  ///   - hasRoom: true when bytes can be taken again.
  func run(
    _ request: Request, on multi: UnsafeMutableRawPointer, while isWanted: () -> Bool,
    hasRoom: () -> Bool
  ) -> Outcome {
    guard let easy = fx_curl_init() else {
      return .failed(HTTPFailure(.outOfMemory, "no memory to fetch it"))
    }
    let errors = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
    errors.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    var lists = setUp(easy, request, errors)
    defer {
      fx_curl_multi_remove(multi, easy)
      fx_curl_cleanup(easy)
      for list in lists { fx_curl_list_free(list) }
      lists = []
      errors.deallocate()
    }
    guard fx_curl_multi_add(multi, easy) == CURLM_OK else {
      return .failed(HTTPFailure(.outOfMemory, "no memory to fetch it"))
    }
    lastArrival = fx_monotonic_seconds()
    while isWanted() {
      var running: Int32 = 0
      guard fx_curl_multi_perform(multi, &running) == CURLM_OK else {
        return .failed(HTTPFailure(.unreadable, "the connection broke", .always))
      }
      if let failure { return .failed(failure) }
      if isSmall, byteCount > Self.smallByteCount {
        isSmall = false
        fx_curl_widen(easy)
      }
      let result = fx_curl_result(multi)
      if result >= 0 { return outcome(CURLcode(UInt32(result)), String(cString: errors)) }
      if isPaused, hasRoom() {
        isPaused = false
        fx_curl_resume(easy)
        continue
      }
      if let late = lateness(easy) { return .failed(late) }
      fx_curl_multi_wait(multi, 100)
    }
    return .stopped
  }

  private func outcome(_ result: CURLcode, _ detail: String) -> Outcome {
    if let failure { return .failed(failure) }
    if result == CURLE_OK {
      guard !hasBegun else { return .complete }
      return .failed(
        HTTPFailure(facts) ?? HTTPFailure(.empty, "the server sent nothing", .onceAnswered))
    }
    // Old versions of libcurl report a line that is too long for them as a lack of memory.
    let isTooLong = result == CURLE_OUT_OF_MEMORY || result.rawValue == HTTPFailure.tooLarge
    if isTooLong, !facts.isOver { return .failed(.longHeader) }
    return .failed(HTTPFailure(curl: result, detail, limits))
  }

  /// libcurl limits only the connection time. The other limits are here, because only fxrun knows
  /// when it has paused the transfer itself.
  private func lateness(_ easy: UnsafeMutableRawPointer) -> HTTPFailure? {
    let now = fx_monotonic_seconds()
    if isPaused || !hasBegun && fx_curl_is_connected(easy) == 0 {
      lastArrival = now
      return nil
    }
    // Behind a redirect libcurl connects again, within its own limit.
    let isElsewhere = facts.isOver && (300..<400).contains(facts.status)
    let limit =
      hasBegun ? limits.idle : limits.firstByte + (isElsewhere ? limits.connect + 0.2 : 0)
    guard now - lastArrival > limit else { return nil }
    return HTTPFailure(
      .timeout,
      hasBegun
        ? "not one byte came for \(shown(limit)) s"
        : "its server took the request and sent nothing for \(shown(limit)) s",
      hasBegun ? .always : .onceAnswered)
  }

  private func setUp(
    _ easy: UnsafeMutableRawPointer, _ request: Request, _ errors: UnsafeMutablePointer<CChar>
  ) -> [UnsafeMutablePointer<curl_slist>?] {
    fx_curl_set_text(easy, CURLOPT_URL, request.address)
    fx_curl_set_text(easy, CURLOPT_USERAGENT, request.userAgent)
    fx_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    fx_curl_set_text(easy, CURLOPT_REDIR_PROTOCOLS_STR, "http,https")
    fx_curl_set_number(easy, CURLOPT_FOLLOWLOCATION, 1)
    fx_curl_set_number(easy, CURLOPT_MAXREDIRS, limits.redirectCount)
    // Keeps cookies for this request: some servers set one and redirect to the same address.
    fx_curl_set_text(easy, CURLOPT_COOKIEFILE, "")
    fx_curl_set_number(easy, CURLOPT_NOSIGNAL, 1)
    // A stop does not wait for a DNS server.
    fx_curl_set_number(easy, CURLOPT_QUICK_EXIT, 1)
    // With HTTP/2, libcurl buffers up to 32 MB of untaken data.
    fx_curl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
    fx_curl_set_number(
      easy, CURLOPT_CONNECTTIMEOUT_MS, Int(max(1, min(limits.connect, 3600) * 1000)))
    fx_curl_set_number(easy, CURLOPT_TCP_KEEPALIVE, 1)
    fx_curl_start_small(easy)
    fx_curl_set_error_buffer(easy, errors)
    var headers = fx_curl_list(nil, "Icy-MetaData: 1")
    if request.start > 0 {
      fx_curl_set_text(easy, CURLOPT_RANGE, "\(request.start)-")
      if let version = request.version {
        headers = fx_curl_list(headers, "If-Range: \(version)")
      }
    }
    fx_curl_set_list(easy, CURLOPT_HTTPHEADER, headers)
    let aliases = fx_curl_list(nil, "ICY 200 OK")
    fx_curl_set_list(easy, CURLOPT_HTTP200ALIASES, aliases)
    fx_curl_set_callbacks(
      easy,
      { bytes, _, count, context in HTTPTransfer.of(context)?.header(bytes, count) ?? 0 },
      { bytes, _, count, context in HTTPTransfer.of(context)?.body(bytes, count) ?? 0 },
      Unmanaged.passUnretained(self).toOpaque())
    return [headers, aliases]
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer? {
    context.map { Unmanaged<HTTPTransfer>.fromOpaque($0).takeUnretainedValue() }
  }

  private func header(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    lastArrival = fx_monotonic_seconds()
    facts.add(UnsafeRawBufferPointer(start: bytes, count: count))
    guard facts.headerByteCount <= Self.headerLimit else {
      failure = .longHeader
      return 0
    }
    return count
  }

  /// Returns `count`, the code for a pause, or 0 to end the transfer.
  private func body(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
    lastArrival = fx_monotonic_seconds()
    do throws(HTTPFailure) {
      if !hasBegun {
        if let refusal = HTTPFailure(facts) { throw refusal }
        try begins(facts)
        hasBegun = true
      }
      guard try takes(UnsafeRawBufferPointer(start: bytes, count: count)) else {
        isPaused = true
        return Int(CURL_WRITEFUNC_PAUSE)
      }
      byteCount += count
    } catch {
      failure = error
      return 0
    }
    return count
  }
}
