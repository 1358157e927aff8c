import COptional
import FxAudio

/// The reason why an attempt to fetch failed.
struct HTTPFailure: Error {
  enum Retry {
    case never
    /// Only after the server has sent something; before that, the address is probably wrong.
    case onceAnswered
    case always
  }

  let code: FailureCode
  /// A message without the address.
  let message: String
  /// Whether another attempt may help.
  let retry: Retry
  /// The pause in seconds that the server asks for.
  var retryAfter: Double?

  init(
    _ code: FailureCode, _ message: String, _ retry: Retry = .never, retryAfter: Double? = nil
  ) {
    self.code = code
    self.message = message
    self.retry = retry
    self.retryAfter = retryAfter
  }

  /// CURLE_TOO_LARGE, which old headers of libcurl lack.
  static let tooLarge: UInt32 = 100
  static let longHeader = HTTPFailure(
    .damaged, "its server sends a header of more than \(HTTPTransfer.headerLimit >> 10) kB")

  /// The error for a status; nil for a status that sends bytes.
  init?(_ facts: HTTPFacts) {
    let status = facts.status
    switch status {
    case 200, 206: return nil
    case 401, 407:
      self.init(
        .unreadable,
        "the server asks for a name and a password (\(status)); write them into the address: "
          + "https://NAME:PASSWORD@…")
    case 403: self.init(.unreadable, "the server refuses to send it (403)")
    case 404: self.init(.notFound, "not found on the server (404); check the address")
    case 410: self.init(.notFound, "the server says that it is gone for good (410)")
    case 408, 429, 503:
      self.init(
        .unreadable, "the server is busy (\(status)); try again later", .always,
        retryAfter: facts.retryAfter)
    case 500...599:
      self.init(
        .unreadable, "the server has a fault of its own (\(status)); try again later", .always)
    case 416: self.init(.truncated, "the server has no more bytes of it (416)", .always)
    case 300...399:
      self.init(.unreadable, "the server redirects it (\(status)) without saying where to")
    default: self.init(.unreadable, "the server answers with status \(status)")
    }
  }

  /// The error for a libcurl code.
  init(curl code: CURLcode, _ detail: String, _ limits: StreamLimits) {
    let reason = detail.isEmpty ? String(cString: fx_curl_words(code)) : detail
    switch code {
    case CURLE_URL_MALFORMAT:
      self.init(.notFound, "this is not a valid address: \(reason)")
    case CURLE_COULDNT_RESOLVE_HOST:
      self.init(
        .notFound, "the name of its server is not known; check the address and the network",
        .onceAnswered)
    case CURLE_COULDNT_RESOLVE_PROXY:
      self.init(.notFound, "the name of the proxy is not known; check http_proxy and https_proxy")
    case CURLE_COULDNT_CONNECT:
      self.init(
        .unreadable,
        "its server refuses the connection (\(reason)); check the address and the port",
        .onceAnswered)
    case CURLE_OPERATION_TIMEDOUT:
      self.init(
        .timeout, "its server does not answer: no connection within \(shown(limits.connect)) s",
        .onceAnswered)
    case CURLE_TOO_MANY_REDIRECTS:
      self.init(
        .unreadable,
        "the server redirects more than \(limits.redirectCount) times; it seems to go in a circle")
    case CURLE_UNSUPPORTED_PROTOCOL where reason.contains("HTTP/0.9"):
      self.init(
        .unreadable, "its server answers without an HTTP header: it is no web server", .onceAnswered
      )
    case CURLE_UNSUPPORTED_PROTOCOL:
      self.init(
        .unreadable, "the server redirects to something else than http or https (\(reason))")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      self.init(
        .unreadable,
        "the certificate of its server is not trusted (\(reason)); install the missing authority "
          + "(Debian: ca-certificates)")
    case CURLE_SSL_CONNECT_ERROR:
      self.init(.unreadable, "no secure connection: \(reason)", .onceAnswered)
    case CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY:
      self.init(
        .unreadable, "its server does not answer as a web server (\(reason))", .always)
    case CURLE_PARTIAL_FILE:
      self.init(.truncated, "the connection ended too early", .always)
    case CURLE_OUT_OF_MEMORY: self.init(.outOfMemory, "no memory to fetch it")
    default: self.init(.unreadable, "the connection broke (\(reason))", .always)
    }
  }
}

/// Seconds as shown in messages.
func shown(_ seconds: Double) -> String {
  let tenths = (seconds * 10).rounded() / 10
  return tenths == tenths.rounded() ? "\(Int(clamping: Int64(tenths)))" : "\(tenths)"
}
