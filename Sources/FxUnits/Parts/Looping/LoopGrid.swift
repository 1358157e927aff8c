import FxAudio

/// The frames at which beats or bars begin.
enum LoopGrid: BitwiseCopyable {
  case beats, bars

  // MARK: - Realtime

  /// Rounding may put a frame slightly before its beat.
  private static var tolerance: Double { @_noLocks get { 1e-9 } }

  /// The first frame in a range that begins a beat or a bar; the end of the range if there is none.
  /// The range lies within one stretch, which is rolling.
  @_noLocks
  func next(from first: Int, to end: Int, in time: MusicalStretch) -> Int {
    let size = self == .bars ? Double(time.span.metre.beatsPerBar) : 1
    let cells = (time.beat(at: first &- 1) - time.span.barBeat) / size + Self.tolerance
    let target = (Self.whole(cells) + 1) * size + time.span.barBeat
    return Self.frame(reaching: target, from: first, to: end, in: time)
  }

  /// The first frame in a range at which a beat has been reached, or the end of the range.
  @_noLocks
  static func frame(
    reaching beat: Double, from first: Int, to end: Int, in time: MusicalStretch
  ) -> Int {
    var (before, after) = (first &- 1, end)
    // Most ranges are before the beat.
    var tried = end &- 1
    while before &+ 1 < after {
      if hasReached(beat, at: tried, in: time) { after = tried } else { before = tried }
      tried = before &+ (after &- before) / 2
    }
    return after
  }

  @_noLocks
  static func hasReached(_ beat: Double, at frame: Int, in time: MusicalStretch) -> Bool {
    time.beat(at: frame) + tolerance >= beat
  }

  /// The beat at a frame; exactly a whole beat if that is where the frame's beat begins.
  @_noLocks
  static func beat(at frame: Int, in time: MusicalStretch) -> Double {
    let beat = time.beat(at: frame)
    let whole = whole(beat + tolerance)
    return time.beat(at: frame &- 1) + tolerance < whole ? whole : beat
  }

  /// The greatest whole number that is not above a number.
  @_noLocks
  private static func whole(_ number: Double) -> Double {
    guard number > -1e15, number < 1e15 else { return number }
    let whole = Double(Int(number))
    return whole > number ? whole - 1 : whole
  }
}
