import FxDiagnostics

/// A place in what plays, counted from the beginning of the chain's files.
public enum LivePlace: Sendable, Hashable {
  case seconds(Double)
  /// At the rate that the chain runs at.
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

/// A part of the chain's files that is played over and over.
public struct LiveLoop: Sendable, Hashable {
  public var from: LivePlace
  /// nil for the end of the main file.
  public var to: LivePlace?
  /// Seconds before its end that go over into those before its beginning. 0 joins the ends as they
  /// are.
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

/// How a performance goes.
public struct LiveTransport: Sendable, Hashable {
  /// The frame of the chain's files that is heard next, from their beginning; nil where it plays none.
  public internal(set) var frame: Int?
  public internal(set) var seconds: Double?
  /// How long the main file is, where that is known.
  public internal(set) var totalSeconds: Double?
  public internal(set) var isPaused = false
  /// Where the part begins that is played over and over, in seconds; nil where nothing is.
  public internal(set) var loopStart: Double?
  /// Where it ends; nil where that is not known.
  public internal(set) var loopEnd: Double?
  /// In decibels, muted or not.
  public internal(set) var volume = 0.0
  public internal(set) var isMuted = false
  /// Nothing is rendered because nothing is heard.
  public internal(set) var isResting = false
  /// Which of two chains is heard; nil where there is one.
  public internal(set) var side: LiveSide?
  /// Beats a minute; nil where nobody has named a tempo, as in what follows.
  public internal(set) var tempo: Double?
  /// `3/4`.
  public internal(set) var metre: String?
  /// The bar, and the beat within it; both count from 1.
  public internal(set) var bar: Int?
  public internal(set) var beat: Double?
  /// False while the musical time stands still.
  public internal(set) var isRolling: Bool?
}
