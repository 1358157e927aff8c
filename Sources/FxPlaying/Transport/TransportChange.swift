package import FxMedia

/// Frames that the sources' sound takes to come in and to go out, and to go over into another place.
enum TransportFade {
  static let seconds = 0.008

  static func frameCount(sampleRate: Double) -> Int { max(1, Int(sampleRate * seconds)) }
}

/// Another place in all sources that are read ahead, and where they go round from there.
package struct SourceJump: BitwiseCopyable, Sendable, Hashable {
  /// The frame that is heard first.
  package var position: Int
  private var part: SourceLoop
  private var goesRound: Bool
  /// How many frames the sources have to have gone on since the last jump for `position` to be where
  /// they are; -1 to take over as soon as it is read.
  var meeting = -1
  /// True where it was faded over, not joined as it is. Filled in when it takes effect.
  package var isFaded = true

  package init(position: Int, loop: SourceLoop? = nil) {
    self.position = max(position, 0)
    part = loop ?? SourceLoop(from: 0, to: Int.max, crossfade: 0)
    goesRound = loop != nil
  }

  package var loop: SourceLoop? { goesRound ? part : nil }

  // MARK: - Realtime

  /// Where the sound is that many frames behind the jump.
  @_noLocks
  func position(after count: Int) -> Int {
    let (plain, overflow) = position.addingReportingOverflow(count)
    guard !overflow else { return Int.max }
    guard goesRound, position < part.to, plain >= part.to, part.to > part.from else { return plain }
    return part.from + (plain - part.to) % (part.to - part.from)
  }
}

/// What can be asked of the render thread of a performance beside its parameters, and what it reports.
package enum TransportChange: BitwiseCopyable, Sendable, Hashable {
  case pause
  case resume
  case jump(SourceJump)
  /// The level of what is heard, as an amplitude, after so many frames.
  case volume(amplitude: Float, frameCount: Int)
  case mute(Bool, frameCount: Int)
  /// Rest after so many frames of silence; -1 never to.
  case rest(frameCount: Int)
  /// Reported, not asked for: nothing is rendered from here on, or something again.
  case rested
  case woken

  /// True for what happens to files.
  package var movesSources: Bool {
    switch self {
    case .pause, .resume, .jump: true
    case .volume, .mute, .rest, .rested, .woken: false
    }
  }

  /// True for what happens to the level of what is heard.
  package var changesLevel: Bool {
    switch self {
    case .volume, .mute: true
    case .pause, .resume, .jump, .rest, .rested, .woken: false
    }
  }
}

/// A change, and the frame of the performance that it was the first for: the start of a block,
/// counted from the first frame that was rendered.
package struct AppliedTransportChange: BitwiseCopyable, Sendable, Hashable {
  package let frame: Int
  package let change: TransportChange

  @_noLocks
  package init(frame: Int, change: TransportChange) {
    self.frame = frame
    self.change = change
  }
}
