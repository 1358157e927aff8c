/// A stretch of musical time with one metre. Its tempo is constant or changes linearly.
///
/// A beat is the note value that the metre counts. Times before the first stretch and after the
/// last one extend those stretches.
package struct TempoSpan: BitwiseCopyable, Sendable, Hashable {
  /// Seconds, from the first frame of the sound.
  package let start: Double
  /// Beats since the first frame of the sound.
  package let beat: Double
  /// Beats per minute at the start; `slope` is the change per second.
  package let tempo: Double
  package let slope: Double
  package let metre: Metre
  /// `bar` begins at `barBeat`, before the stretch or in it; bars count from 0.
  package let bar: Int
  package let barBeat: Double
  /// False while the musical time stands still.
  package let isRolling: Bool
  /// The first frame that belongs to it.
  package var firstFrame: Int

  /// The same stretch at a sample rate. The small offset keeps rounding errors from moving the
  /// start by a frame.
  package func at(sampleRate: Double) -> TempoSpan {
    var span = self
    let frame = start * sampleRate - 1e-6
    span.firstFrame = frame < -1e15 ? Int(-1e15) : Int(min(frame, 1e15).rounded(.up))
    return span
  }

  // MARK: - Realtime

  @_noLocks
  package init(
    start: Double = 0, beat: Double = 0, tempo: Double, slope: Double = 0, metre: Metre = .common,
    bar: Int = 0, barBeat: Double = 0, isRolling: Bool = true
  ) {
    self.start = start
    self.beat = beat
    self.tempo = tempo
    self.slope = slope
    self.metre = metre
    self.bar = bar
    self.barBeat = barBeat
    self.isRolling = isRolling
    firstFrame = 0
  }

  /// Beats since the first frame of the sound.
  @_noLocks
  package func beat(atSeconds seconds: Double) -> Double {
    guard isRolling else { return beat }
    let elapsed = seconds - start
    return beat + elapsed * (tempo + 0.5 * slope * elapsed) / 60
  }

  /// Beats per minute.
  @_noLocks
  package func tempo(atSeconds seconds: Double) -> Double {
    isRolling ? tempo + slope * (seconds - start) : tempo
  }

  /// The bar of a beat, from 0, and the beats since its beginning.
  @_noLocks
  package func place(ofBeat beat: Double) -> (bar: Int, beat: Double) {
    let length = Double(metre.beatsPerBar)
    let bars = (beat - barBeat) / length
    guard bars < 1e15, bars > -1e15 else { return (0, 0) }
    var whole = Int(bars)
    if Double(whole) > bars { whole -= 1 }
    return (bar + whole, beat - barBeat - Double(whole) * length)
  }
}
