package import FxAudio

/// One port of a plugin as its description declares it, in the port's own unit.
package struct LV2Port: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case audio
    case control
    /// Control voltage: a control signal with one value per frame.
    case cv
    /// Events or other atoms, in a buffer of this type.
    case atom(bufferType: String)
    /// Events in the buffer format that atoms have replaced.
    case event
    /// An unknown type, with its URIs.
    case unknown([String])
  }

  /// The purpose of a control port that is neither a parameter nor a reading.
  package enum Role: Sendable, Hashable {
    case enabled, freeWheeling, latency
  }

  package struct ScalePoint: Sendable, Hashable {
    package let label: String
    package let value: Double
  }

  package var index: Int
  package var symbol: String
  package var name: String
  package var kind: Kind
  package var isInput: Bool
  /// The plugin runs without this port connected.
  package var isOptional: Bool
  package var isSideChain: Bool = false
  package var role: Role?
  /// The part of the musical time that a control input follows; nil for none.
  var timeRole: LV2TimeRole?
  package var measure: LV2Measure = .none
  /// nil where the plugin declares none (or a number that is not finite).
  package var minimum: Double?
  package var maximum: Double?
  package var defaultValue: Double?
  package var isToggle: Bool = false
  package var isInteger: Bool = false
  var isEnumeration: Bool = false
  package var isLogarithmic: Bool = false
  /// A change is expensive or audible: the value changes in one step.
  var isStepped: Bool = false
  /// A change is expensive.
  package var isExpensive: Bool = false
  /// Minimum, maximum and default are fractions of the sample rate.
  var isRelativeToSampleRate: Bool = false
  /// The bus that an audio port belongs to where that is neither the main one nor the side-chain:
  /// the symbol of its port group.
  package var bus: String?
  /// The channel of an audio port, where the plugin designates it.
  package var channel: ChannelName?
  /// Receives or sends MIDI.
  var supportsMIDI: Bool = false
  /// Wants to receive the musical time.
  var supportsTime: Bool = false
  /// The port is designated for control of the plugin.
  var isControlDesignated: Bool = false
  /// Sorted by value.
  package var scalePoints: [ScalePoint] = []
  /// The smallest buffer of an atom port, in bytes.
  var minimumBufferSize: Int = 0

  /// The range of its control signal; -1 to 1 where the plugin declares none.
  package var signalRange: ClosedRange<Double> {
    guard let minimum, let maximum, minimum < maximum else { return -1...1 }
    return minimum...maximum
  }

  /// A stream of events, each with its frame.
  var carriesEvents: Bool {
    switch kind {
    case .atom(let type): type == LV2URI.atomSequence
    case .event: true
    default: false
    }
  }

  /// The kind that messages use.
  var namedKind: NamedPort.Kind {
    switch kind {
    case .audio: isInput ? .audioInput : .audioOutput
    case .cv: isInput ? .parameter : .controlVoltage
    case .atom, .event: isInput ? .eventInput : .eventOutput
    case .unknown: .hostOwned
    case .control:
      switch role {
      case .enabled: .enabled
      case .freeWheeling, .latency: .hostOwned
      case nil: isInput ? .parameter : .reading
      }
    }
  }

  /// The type's name for people: `audio`, `control`, `CV`, `atom`.
  package var kindName: String {
    switch kind {
    case .audio: "audio"
    case .control: "control"
    case .cv: "CV"
    case .atom: "atom"
    case .event: "event"
    case .unknown(let types): types.first ?? "unknown"
    }
  }
}
