import FxAudio

/// The part of the musical time that a control input follows, by its `lv2:designation`.
enum LV2TimeRole: String, BitwiseCopyable, Sendable, Hashable, CaseIterable {
  case beatsPerMinute, speed, beatsPerBar, beatUnit, bar, barBeat, beat, frame, framesPerSecond

  init?(designation: String?) {
    guard let designation, designation.hasPrefix(LV2URI.time) else { return nil }
    self.init(rawValue: String(designation.dropFirst(LV2URI.time.utf8.count)))
  }

  // MARK: - Realtime

  /// The value at a frame of the stretch.
  @_noLocks
  func value(_ time: MusicalStretch, at frame: Int) -> Double {
    let beat = time.beat(at: frame)
    let place = time.span.place(ofBeat: beat)
    switch self {
    case .beatsPerMinute: return time.tempo(at: frame)
    case .speed: return time.span.isRolling ? 1 : 0
    case .beatsPerBar: return Double(time.span.metre.beatsPerBar)
    case .beatUnit: return Double(time.span.metre.beatUnit)
    case .bar: return Double(place.bar)
    case .barBeat: return place.beat
    case .beat: return beat
    case .frame: return Double(frame)
    case .framesPerSecond: return time.sampleRate
    }
  }
}
