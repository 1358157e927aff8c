package import FxAudio

/// The musical time of a tempo map, for a unit that is rendered by itself.
package final class TestTime {
  private let spans: UnsafeMutablePointer<TempoSpan>
  private let state: UnsafeMutablePointer<MusicalTime.State>

  package init(_ map: TempoMap, sampleRate: Double = 48000) {
    let stretches = map.spans.map { $0.at(sampleRate: sampleRate) }
    spans = .allocate(capacity: stretches.count)
    for (index, span) in stretches.enumerated() { (spans + index).initialize(to: span) }
    state = .allocate(capacity: 1)
    state.initialize(
      to: MusicalTime.State(
        spans: spans, count: stretches.count, sampleRate: sampleRate, isKnown: true))
  }

  deinit {
    spans.deallocate()
    state.deallocate()
  }

  package var time: MusicalTime { MusicalTime(UnsafePointer(state)) }
}
