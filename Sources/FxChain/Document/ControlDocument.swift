import FxAudio
import FxEngine

/// A scene of a chain file: named values.
struct SceneDocument: Sendable, Equatable {
  package struct Bypass: Sendable, Equatable {
    package var node: Located<String>
    package var isOn: Bool
  }

  package var name: Located<String>
  package var parameters: [NamedValue] = []
  package var bypass: [Bypass] = []
  package var ramp: Located<RawValue>?
}

/// The chain's settings for control by MIDI.
struct ControlInputDocument: Sendable, Equatable {
  /// The sender to receive from; nil for any sender that connects.
  package var sender: String?
  /// A received MIDI clock sets tempo and position.
  package var followsClock = false
  package var controls: [ControlDocument] = []
}

/// One MIDI mapping of a chain file.
struct ControlDocument: Sendable, Equatable {
  package enum Target: Sendable, Equatable {
    case parameter(Located<String>)
    case bypass(Located<String>)
    case scene(Located<String>)
    case tap
  }

  package var trigger: MIDIControl.Trigger
  /// From 1; nil for any.
  package var channel: UInt8?
  package var target: Target
  /// Two values, or none.
  package var range: [Located<RawValue>] = []
  var rangePlace: Place?
  package var curve: Located<ControlRange.Curve>?
  package var isToggle: Located<Bool>?
}
