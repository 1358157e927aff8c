import FxAudio
import FxEngine

/// A message of a MIDI clock, with the time of its arrival.
struct MIDIClockMessage: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// One of 24 pulses per quarter note.
    case pulse
    case start, goOn, stop
    /// Sixteenth notes from the beginning of the song.
    case position(Int)
  }

  var kind: Kind
  /// The time of arrival on the monotonic clock.
  var seconds: Double

  /// nil for any other message.
  init?(status: UInt8, _ data1: UInt8, _ data2: UInt8, at seconds: Double) {
    switch status {
    case 0xf8: kind = .pulse
    case 0xfa: kind = .start
    case 0xfb: kind = .goOn
    case 0xfc: kind = .stop
    case 0xf2: kind = .position(Int(data1 & 127) | Int(data2 & 127) << 7)
    default: return nil
    }
    self.seconds = seconds
  }
}

/// Converts the messages of a MIDI clock to changes of the musical time.
///
/// The tempo is the mean over the last two quarter notes, which averages the jitter of the pulses.
/// It is sent if it differs from the performance's tempo by more than 0.1 %, at most four times a
/// second.
struct MIDIClockFollower {
  private static let pulseCount = 48
  /// Seconds without a pulse after which the clock counts as new.
  private static let patience = 0.5
  private static let interval = 0.25

  private var pulses: [Double] = []
  private var sentTime = -Double.infinity

  /// The changes that follow from a message.
  ///
  /// - Parameters:
  ///   - tempo: the performance's tempo now, in beats a minute.
  ///   - beatsPerQuarter: the number of beats per quarter note.
  mutating func changes(
    for message: MIDIClockMessage, tempo: Double, beatsPerQuarter: Double
  ) -> [TimeChange] {
    switch message.kind {
    case .start: return [.beat(0), .rolling(true)]
    case .goOn: return [.rolling(true)]
    case .stop: return [.rolling(false)]
    case .position(let sixteenths): return [.beat(Double(sixteenths) / 4 * beatsPerQuarter)]
    case .pulse:
      if let last = pulses.last, message.seconds - last > Self.patience { pulses = [] }
      pulses.append(message.seconds)
      if pulses.count > Self.pulseCount + 1 { pulses.removeFirst() }
      return newTempo(at: message.seconds, unlike: tempo, beatsPerQuarter).map { [.tempo($0)] }
        ?? []
    }
  }

  private mutating func newTempo(
    at seconds: Double, unlike current: Double, _ beatsPerQuarter: Double
  ) -> Double? {
    // Wait for a whole quarter note before its tempo is used.
    guard pulses.count > 24, let first = pulses.first, seconds > first,
      seconds - sentTime >= Self.interval
    else { return nil }
    let quarters = Double(pulses.count - 1) / 24
    let tempo = 60 * quarters * beatsPerQuarter / (seconds - first)
    guard abs(tempo - current) > 0.001 * current, (1...1000).contains(tempo) else { return nil }
    sentTime = seconds
    return tempo
  }
}
