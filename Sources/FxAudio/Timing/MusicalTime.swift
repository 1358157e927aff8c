/// The musical time of a render as units see it: a view of memory that the engine owns.
///
/// Its frames are those of a unit's own timeline (`RenderBlock.frame`). Render thread.
public struct MusicalTime: BitwiseCopyable {
  /// The memory behind the view.
  package struct State: BitwiseCopyable {
    package var spans: UnsafeMutablePointer<TempoSpan>
    /// At least 1.
    package var count: Int
    package let sampleRate: Double
    /// False where neither the chain nor a performer has set a tempo.
    package var isKnown: Bool
    /// The number of changes that a performer has made.
    package var revision = 0

    package init(
      spans: UnsafeMutablePointer<TempoSpan>, count: Int, sampleRate: Double, isKnown: Bool
    ) {
      self.spans = spans
      self.count = count
      self.sampleRate = sampleRate
      self.isKnown = isKnown
    }
  }

  /// The tempo where none is set: 120 beats per minute, as in MIDI.
  package static let usualTempo = 120.0

  private let state: UnsafePointer<State>?

  // MARK: - Realtime

  /// The musical time of a unit that renders outside a chain: it stands still.
  @_noLocks
  public init() { state = nil }

  @_noLocks
  package init(_ state: UnsafePointer<State>) { self.state = state }

  /// False where neither the chain nor a performer has set a tempo; then the tempo is 120.
  public var isKnown: Bool {
    @_noLocks get {
      guard let state else { return false }
      return state.pointee.isKnown
    }
  }

  package var revision: Int {
    @_noLocks get {
      guard let state else { return 0 }
      return state.pointee.revision
    }
  }

  /// The stretch that contains a frame, and the first frame after it.
  @_noLocks
  package func stretch(at frame: Int) -> MusicalStretch {
    guard let state else {
      let still = TempoSpan(
        start: 0, beat: 0, tempo: 120, slope: 0, metre: .common, bar: 0, barBeat: 0,
        isRolling: false)
      return MusicalStretch(still, sampleRate: 1, end: Int.max)
    }
    let spans = state.pointee.spans
    var index = state.pointee.count - 1
    while index > 0, spans[index].firstFrame > frame { index -= 1 }
    let end = index + 1 < state.pointee.count ? spans[index + 1].firstFrame : Int.max
    return MusicalStretch(spans[index], sampleRate: state.pointee.sampleRate, end: end)
  }

  /// Beats since the first frame of the sound.
  @_noLocks
  public func beat(at frame: Int) -> Double { stretch(at: frame).beat(at: frame) }

  /// Beats per minute.
  @_noLocks
  public func tempo(at frame: Int) -> Double { stretch(at: frame).tempo(at: frame) }
}

/// A stretch of musical time, in frames.
package struct MusicalStretch: BitwiseCopyable {
  package let span: TempoSpan
  package let sampleRate: Double
  /// The first frame after it.
  package let end: Int

  // MARK: - Realtime

  @_noLocks
  init(_ span: TempoSpan, sampleRate: Double, end: Int) {
    self.span = span
    self.sampleRate = sampleRate
    self.end = end
  }

  @_noLocks
  package func beat(at frame: Int) -> Double {
    span.beat(atSeconds: Double(frame) / sampleRate)
  }

  @_noLocks
  package func tempo(at frame: Int) -> Double {
    span.tempo(atSeconds: Double(frame) / sampleRate)
  }
}
