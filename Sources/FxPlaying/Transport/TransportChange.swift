package import FxMedia

/// The length of fades of the sources, and of the crossfade at a jump, in frames.
enum TransportFade {
  static let seconds = 0.008

  static func frameCount(sampleRate: Double) -> Int { max(1, Int(sampleRate * seconds)) }
}

/// A new position for all sources that are read ahead, and their loop from there.
package struct SourceJump: BitwiseCopyable, Sendable, Hashable {
  /// The first frame at the new position.
  package var position: Int
  private var part: SourceLoop
  private var goesRound: Bool
  /// The number of frames after the last jump at which the sound reaches `position`; -1 to jump as
  /// soon as the new position has been read.
  var meeting = -1
  /// True if the jump was crossfaded, false if it joins seamlessly. Set when the jump takes effect.
  package var isFaded = true

  package init(position: Int, loop: SourceLoop? = nil) {
    self.position = max(position, 0)
    part = loop ?? SourceLoop(from: 0, to: Int.max, crossfade: 0)
    goesRound = loop != nil
  }

  package var loop: SourceLoop? { goesRound ? part : nil }

  // MARK: - Realtime

  /// The position of the sound `count` frames after the jump.
  @_noLocks
  func position(after count: Int) -> Int {
    let (plain, overflow) = position.addingReportingOverflow(count)
    guard !overflow else { return Int.max }
    guard goesRound, position < part.to, plain >= part.to, part.to > part.from else { return plain }
    return part.from + (plain - part.to) % (part.to - part.from)
  }
}

/// Requests to the render thread other than parameter changes, and its reports.
package enum TransportChange: BitwiseCopyable, Sendable, Hashable {
  case pause
  case resume
  case jump(SourceJump)
  /// The volume as an amplitude, reached after `frameCount` frames.
  case volume(amplitude: Float, frameCount: Int)
  case mute(Bool, frameCount: Int)
  /// Rest after this many frames of silence; -1 to never rest.
  case rest(frameCount: Int)
  /// Reports only: rendering stopped because of silence, or started again.
  case rested
  case woken

  /// True for changes of the file sources.
  package var movesSources: Bool {
    switch self {
    case .pause, .resume, .jump: true
    case .volume, .mute, .rest, .rested, .woken: false
    }
  }

  /// True for changes of the volume or the mute.
  package var changesLevel: Bool {
    switch self {
    case .volume, .mute: true
    case .pause, .resume, .jump, .rest, .rested, .woken: false
    }
  }
}

/// A change, and the frame of the performance at which it took effect: the start of a block, counted
/// from the first frame that was rendered.
package struct AppliedTransportChange: BitwiseCopyable, Sendable, Hashable {
  package let frame: Int
  package let change: TransportChange

  @_noLocks
  package init(frame: Int, change: TransportChange) {
    self.frame = frame
    self.change = change
  }
}
