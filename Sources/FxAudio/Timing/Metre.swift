/// How beats make bars: `3/4` has three beats per bar, each a quarter note.
package struct Metre: BitwiseCopyable, Sendable, Hashable {
  package let beatsPerBar: Int
  /// The note value of a beat, as the denominator: 4 is a quarter note.
  package let beatUnit: Int

  /// Parses a metre such as `6/8`: up to 64 beats, of notes down to a 64th; nil for anything else.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let beats = Int(parts[0]), let unit = Int(parts[1]),
      (1...64).contains(beats), (1...64).contains(unit), unit & (unit - 1) == 0
    else { return nil }
    self.init(beatsPerBar: beats, beatUnit: unit)
  }

  /// The notation in a chain.
  package var text: String { "\(beatsPerBar)/\(beatUnit)" }

  // MARK: - Realtime

  @_noLocks
  package init(beatsPerBar: Int, beatUnit: Int) {
    self.beatsPerBar = beatsPerBar
    self.beatUnit = beatUnit
  }

  package static var common: Metre {
    @_noLocks get { Metre(beatsPerBar: 4, beatUnit: 4) }
  }

  /// Beats per quarter note, the unit of MIDI clocks.
  package var beatsPerQuarter: Double {
    @_noLocks get { Double(beatUnit) / 4 }
  }
}
