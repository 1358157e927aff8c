/// Where a source node's audio comes from.
package enum SourceEndpoint: Sendable, Hashable {
  /// Bound by the command line (`--input name=…`) or by the caller of the library.
  case input(String)
  case file(String)
  case standardInput
  case alsa(device: String, channels: Int?)
  /// Silence.
  case null(channels: Int)
}

/// Where a sink node's audio goes.
package enum SinkEndpoint: Sendable, Hashable {
  /// Bound by the command line (`--output name=…`) or by the caller of the library.
  case output(String)
  case file(String, FileEncoding)
  case standardOutput(FileEncoding)
  case alsa(device: String)
  /// Rendered and let go.
  case null
}

/// How samples are written to a file.
package struct FileEncoding: Sendable, Hashable {
  /// Bits of a sample; 32 is float.
  package enum Depth: Int, Sendable, Hashable, CaseIterable {
    case int16 = 16
    case int24 = 24
    case float32 = 32
  }

  /// nil: 24 bits for FLAC, otherwise 32-bit float for a chain's own sinks and 24 bits for `-o`.
  package var depth: Depth?
  /// Triangular dither of one step before rounding to 16 bits.
  package var isDithered: Bool

  package init(depth: Depth? = nil, isDithered: Bool = true) {
    self.depth = depth
    self.isDithered = isDithered
  }
}
