/// How streams are opened and read.
package struct StreamSettings: Sendable {
  package var limits = StreamLimits()
  /// The user agent that servers see.
  package var userAgent = "fxrun"
  package let news: StreamNews
  /// Stores the bytes of the first stream that is opened; nil without a recording.
  package var recording: StreamRecording?

  /// The possible lengths in seconds of the buffer before a stream plays live.
  package static let bufferSeconds = 0.1...60.0
  package static let usualBufferSeconds = 3.0

  package init(news: StreamNews = StreamNews()) { self.news = news }
}

/// Time limits for a server, and the number of attempts.
package struct StreamLimits: Sendable {
  /// Seconds until the connection is established.
  package var connect = 10.0
  /// Seconds from the connection to the first byte.
  var firstByte = 20.0
  /// Seconds without a byte while the buffer has room.
  package var idle = 15.0
  var redirectCount = 10
  /// Attempts in a row without a byte.
  package var attemptCount = 6
  /// A stream that has sent something is tried again without end, whatever its server answers.
  package var isPatient = false
  /// Seconds before the second attempt; doubled before each further attempt.
  package var pause = 0.5
  /// The longest pause, even if the server asks for more.
  var longestPause = 30.0

  /// The possible time limits in seconds, and numbers of attempts.
  package static let timeouts = 0.1...3600.0
  package static let attemptCounts = 1...1000

  package init() {}

  /// Limits every wait for the server to `seconds`.
  package mutating func limitWaits(to seconds: Double) {
    connect = seconds
    firstByte = seconds
    idle = seconds
  }
}
