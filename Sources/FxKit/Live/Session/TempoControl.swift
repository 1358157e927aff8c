import CRealtime
import FxAudio
import FxChain
import FxEngine
import FxPlaying

/// The tempo of a performance: from the chain, set, tapped, or from a MIDI clock.
final class TempoControl {
  private let playing: PlayingChain
  private let driver: LiveDriver
  private let inbox: LiveControl
  private var taps = TapTempo()
  private var clock = MIDIClockFollower()
  /// The map of the chain that played last.
  private var map: TempoMap?
  /// The requested tempo in beats a minute; nil while the chain's tempo applies.
  private var tempo: Double?

  /// - Parameter inbox: receives the MIDI clock.
  init(_ playing: PlayingChain, _ driver: LiveDriver, inbox: LiveControl) {
    self.playing = playing
    self.driver = driver
    self.inbox = inbox
    map = playing.compiled.built.tempoMap
  }

  func set(_ tempo: Double) throws(ChainFailure) {
    let range = ChainFormat.tempos
    guard range.contains(tempo) else {
      throw .outOfRange(
        "a tempo is \(Int(range.lowerBound)) to \(Int(range.upperBound)) bpm, not \(shortNumber(tempo))"
      )
    }
    try send(.tempo(tempo))
    let former = self.tempo ?? map?.initialTempo ?? MusicalTime.usualTempo
    self.tempo = tempo
    try moveBeats(from: former, to: tempo)
  }

  /// Taps a beat now. The tempo follows from the second tap on.
  func tap() throws(ChainFailure) {
    guard let tempo = taps.tap(at: fx_monotonic_seconds()) else { return }
    let range = ChainFormat.tempos
    try set(min(max(tempo, range.lowerBound), range.upperBound))
  }

  /// Follows the MIDI clock messages since the last call, if the chain follows a clock.
  func poll() {
    let messages = inbox.takeClock()
    guard playing.compiled.built.followsClock else { return }
    for message in messages {
      let now = driver.program.musicalClock.now
      let changes = clock.changes(
        for: message, tempo: now.tempo, beatsPerQuarter: now.metre.beatsPerQuarter)
      for change in changes {
        // If the queue is full, the following pulses repeat the tempo.
        if case .tempo(let tempo) = change { try? set(tempo) } else { try? send(change) }
      }
    }
  }

  /// Called when another chain has taken over. If its tempo map is different and constant, its
  /// tempo applies.
  func update() {
    let new = playing.compiled.built.tempoMap
    defer { map = new }
    guard new != map, let new, new.isConstant else { return }
    tempo = nil
    try? send(.tempo(new.initialTempo))
  }

  /// Fills in the musical time now.
  func show(in transport: inout LiveTransport) {
    let now = driver.program.musicalClock.now
    guard now.isKnown else { return }
    transport.tempo = now.tempo
    transport.metre = now.metre.text
    transport.bar = now.bar + 1
    transport.beat = now.beatInBar + 1
    transport.isRolling = now.isRolling
  }

  private func send(_ change: TimeChange) throws(ChainFailure) {
    guard driver.program.musicalClock.send(change) else { throw .tooManyChanges }
  }

  /// Moves values given in beats that nobody has changed since, within their ranges.
  private func moveBeats(from former: Double, to tempo: Double) throws(ChainFailure) {
    for node in playing.compiled.resolved.graph.nodes {
      guard let unit = node.unit else { continue }
      for (slot, beats) in unit.beats.sorted(by: { $0.key < $1.key }) {
        let parameter = try playing.parameter("\(node.id).\(unit.parameters[slot].path)")
        let range = parameter.spec.range
        func value(_ tempo: Double) -> Double {
          min(max(beats * 60 / tempo, range.lowerBound), range.upperBound)
        }
        let now = playing.value(of: parameter)
        guard abs(now - value(former)) <= 1e-6 * abs(now) else { continue }
        try playing.move(parameter, to: value(tempo))
      }
    }
  }
}
