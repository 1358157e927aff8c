/// How streams are opened and read.
package struct StreamSettings: Sendable {
  package var limits = StreamLimits()
  /// As servers see who asks.
  package var userAgent = "fxrun"
  package let news: StreamNews
  /// Keeps the bytes of the first stream that is opened; nil where nobody wants them.
  package var recording: StreamRecording?

  /// Seconds that can be buffered before a stream plays, live.
  package static let bufferSeconds = 0.1...60.0
  package static let usualBufferSeconds = 3.0

  package init(news: StreamNews = StreamNews()) { self.news = news }
}

/// How long a server may take, and how often it is asked.
package struct StreamLimits: Sendable {
  /// Seconds until there is a connection.
  package var connect = 10.0
  /// Seconds from the connection to the first byte.
  package var firstByte = 20.0
  /// Seconds without a byte while there is room for some.
  package var idle = 15.0
  package var redirectCount = 10
  /// Attempts in a row that bring no byte.
  package var attemptCount = 6
  /// Seconds before the second attempt; twice as many before each that follows.
  package var pause = 0.5
  /// The longest pause, also where a server asks for more.
  package var longestPause = 30.0

  package init() {}
}
