/// A resolved MIDI mapping: a trigger and its action.
package struct MIDIControl: Sendable, Equatable {
  package enum Trigger: Sendable, Equatable {
    case controller(UInt8)
    case note(UInt8)
    /// From 0.
    case program(UInt8)
    case bend
    /// The pressure of a whole channel.
    case pressure
  }

  package enum Action: Sendable, Equatable {
    case parameter(BuiltChain.Parameter, ControlRange)
    /// A switch that changes with each press.
    case toggle(BuiltChain.Parameter)
    /// On while the note is held or the controller is at 64 or more.
    case bypass(node: Int)
    case toggleBypass(node: Int)
    /// Index into `BuiltChain.scenes`.
    case scene(Int)
    /// A tapped beat.
    case tap
  }

  package var trigger: Trigger
  /// From 1; nil for any.
  package var channel: UInt8?
  package var action: Action
  /// The parameter, node or scene as the chain spells it.
  package var target: String
}

/// An action requested by a message; the player performs it.
package enum ControlAction: Sendable, Equatable {
  /// The value is in the parameter's own unit of measure, within its range.
  case set(BuiltChain.Parameter, Double)
  case toggle(BuiltChain.Parameter)
  case bypass(node: Int, Bool)
  case toggleBypass(node: Int)
  case scene(Int)
  case tap
}

extension MIDIControl {
  /// The action of this mapping for a channel message; nil for an unrelated message.
  package func action(
    for status: UInt8, _ data1: UInt8, _ data2: UInt8
  ) -> ControlAction? {
    if let channel, channel != (status & 15) + 1 { return nil }
    switch (trigger, status & 0xf0) {
    case (.controller(let number), 0xb0) where number == data1:
      return pressed(Double(data2 & 127) / 127, isOn: data2 >= 64)
    case (.note(let number), 0x90) where number == data1:
      // A note on with velocity 0 is a note off.
      return pressed(data2 > 0 ? 1 : 0, isOn: data2 > 0)
    case (.note(let number), 0x80) where number == data1: return pressed(0, isOn: false)
    case (.program(let number), 0xc0) where number == data1: return pressed(1, isOn: true)
    case (.bend, 0xe0): return pressed(Self.bend(data1, data2), isOn: false)
    case (.pressure, 0xd0): return pressed(Double(data1 & 127) / 127, isOn: false)
    default: return nil
    }
  }

  private func pressed(_ fraction: Double, isOn: Bool) -> ControlAction? {
    switch action {
    case .parameter(let parameter, let range):
      return .set(parameter, range.value(at: fraction, for: parameter.spec))
    case .bypass(let node): return .bypass(node: node, isOn)
    case .toggle(let parameter): return isOn ? .toggle(parameter) : nil
    case .toggleBypass(let node): return isOn ? .toggleBypass(node: node) : nil
    case .scene(let scene): return isOn ? .scene(scene) : nil
    case .tap: return isOn ? .tap : nil
    }
  }

  /// 0 to 1, exactly a half in the middle.
  private static func bend(_ low: UInt8, _ high: UInt8) -> Double {
    let value = Double(Int(high & 127) << 7 | Int(low & 127))
    return value <= 8192 ? value / 16384 : 0.5 + (value - 8192) / 16382
  }
}

extension [MIDIControl] {
  /// The actions for a channel message, in the chain's order. Missing data bytes are 0.
  package func actions(
    for bytes: (status: UInt8, data1: UInt8, data2: UInt8)
  ) -> [ControlAction] {
    compactMap { $0.action(for: bytes.status, bytes.data1, bytes.data2) }
  }
}
