import FxChain

/// A position in the chain's files, counted from their beginning.
public enum LivePlace: Sendable, Hashable {
  case seconds(Double)
  /// A frame at the chain's sample rate.
  case frame(Int)

  func frame(sampleRate: Double) throws(ChainFailure) -> Int {
    switch self {
    case .frame(let frame):
      guard frame >= 0, frame < 1 << 50 else { throw .outOfRange("there is no frame \(frame)") }
      return frame
    case .seconds(let seconds):
      guard (0...1e9).contains(seconds) else {
        throw .outOfRange("a place is 0 s or more, not \(shortNumber(seconds)) s")
      }
      return Int((seconds * sampleRate).rounded())
    }
  }

  func seconds(sampleRate: Double) -> Double {
    switch self {
    case .frame(let frame): Double(frame) / sampleRate
    case .seconds(let seconds): seconds
    }
  }
}

/// A repeated part of the chain's files.
public struct LiveLoop: Sendable, Hashable {
  public var from: LivePlace
  /// nil for the end of the main file.
  public var to: LivePlace?
  /// Seconds before its end that are crossfaded with those before its beginning. 0 joins the ends
  /// without a crossfade.
  public var crossfade: Double

  public init(
    from: LivePlace = .frame(0), to: LivePlace? = nil, crossfade: Double = LiveLoop.usualCrossfade
  ) {
    self.from = from
    self.to = to
    self.crossfade = crossfade
  }

  /// In seconds.
  public static let usualCrossfade = 0.005
}

/// Which of two chains is heard.
public enum LiveSide: String, Sendable, CaseIterable {
  case a, b

  var other: LiveSide { self == .a ? .b : .a }
}

/// The transport's state in a performance.
public struct LiveTransport: Sendable, Hashable {
  /// The next frame of the chain's files, from their beginning; nil if the chain plays no files.
  public internal(set) var frame: Int?
  public internal(set) var seconds: Double?
  /// The length of the main file in seconds, if it is known.
  public internal(set) var totalSeconds: Double?
  public internal(set) var isPaused = false
  /// The start of the loop in seconds; nil without a loop.
  public internal(set) var loopStart: Double?
  /// The end of the loop in seconds; nil if it is not known.
  public internal(set) var loopEnd: Double?
  /// In decibels, muted or not.
  public internal(set) var volume = 0.0
  public internal(set) var isMuted = false
  /// True while nothing is rendered because the chain is silent.
  public internal(set) var isResting = false
  /// The chain that is heard, if two are compared; nil for one chain.
  public internal(set) var side: LiveSide?
  /// Beats a minute; nil without a tempo, as are the properties below.
  public internal(set) var tempo: Double?
  /// `3/4`.
  public internal(set) var metre: String?
  /// The bar, and the beat within it; both count from 1.
  public internal(set) var bar: Int?
  public internal(set) var beat: Double?
  /// False while the musical time is stopped.
  public internal(set) var isRolling: Bool?
}
