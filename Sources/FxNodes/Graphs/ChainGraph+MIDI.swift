import FxChain

/// A MIDI message that a chain follows while it is played.
public struct MIDITrigger: Sendable, Hashable {
  let keys: [ChainValue.Member]

  private init(_ key: String, _ value: ChainValue, _ channel: Int?) {
    var keys = [ChainValue.Member(key, value)]
    keys.set("channel", channel?.chainValue)
    self.keys = keys
  }

  /// - Parameters:
  ///   - number: from 0 to 127.
  ///   - channel: from 1 to 16; nil for any.
  public static func controller(_ number: Int, channel: Int? = nil) -> MIDITrigger {
    MIDITrigger("cc", number.chainValue, channel)
  }

  /// - Parameters:
  ///   - number: from 0 to 127.
  ///   - channel: from 1 to 16; nil for any.
  public static func note(_ number: Int, channel: Int? = nil) -> MIDITrigger {
    MIDITrigger("note", number.chainValue, channel)
  }

  /// A note by its name: `"C4"` is 60.
  ///
  /// - Parameters:
  ///   - name: a letter, `#` or `b`, and the octave.
  ///   - channel: from 1 to 16; nil for any.
  public static func note(_ name: String, channel: Int? = nil) -> MIDITrigger {
    MIDITrigger("note", name.chainValue, channel)
  }

  /// - Parameters:
  ///   - number: from 0.
  ///   - channel: from 1 to 16; nil for any.
  public static func program(_ number: Int, channel: Int? = nil) -> MIDITrigger {
    MIDITrigger("program", number.chainValue, channel)
  }

  /// - Parameter channel: from 1 to 16; nil for any.
  public static func bend(channel: Int? = nil) -> MIDITrigger { MIDITrigger("bend", true, channel) }

  /// - Parameter channel: from 1 to 16; nil for any.
  public static func pressure(channel: Int? = nil) -> MIDITrigger {
    MIDITrigger("pressure", true, channel)
  }
}

/// How the positions of a controller divide a range.
public enum MIDICurve: String, ParameterChoice {
  /// Into equal steps.
  case linear
  /// Into equal ratios.
  case log
}

/// How a press changes a switch.
public enum MIDIMode: String, ParameterChoice {
  /// Each press changes over.
  case toggle
  /// On as long as it is held.
  case momentary
}

extension ChainGraph {
  /// Moves a parameter by MIDI while the chain is played.
  ///
  /// - Parameters:
  ///   - trigger: what moves it.
  ///   - parameter: the parameter of a node.
  ///   - range: the values at the least and the greatest position; nil for the parameter's range.
  ///   - curve: nil for `log` with a frequency, otherwise `linear`.
  ///   - mode: for a switch; nil for `toggle` with a note, otherwise `momentary`.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public mutating func map<Value>(
    _ trigger: MIDITrigger, to parameter: ParameterReference<Value>,
    range: (Value, Value)? = nil, curve: MIDICurve? = nil, mode: MIDIMode? = nil,
    fileID: String = #fileID, line: Int = #line
  ) {
    var target: [ChainValue.Member] = [.init("parameter", .string(parameter.path))]
    if let range { target.set("range", [range.0.chainValue, range.1.chainValue]) }
    target.set("curve", curve?.chainValue)
    target.set("mode", mode?.chainValue)
    map(trigger, target, CallSite(file: fileID, line: line))
  }

  /// Sets a scene by MIDI while the chain is played.
  public mutating func map(
    _ trigger: MIDITrigger, toScene scene: String, fileID: String = #fileID, line: Int = #line
  ) {
    map(trigger, [.init("scene", .string(scene))], CallSite(file: fileID, line: line))
  }

  /// Taps the tempo by MIDI while the chain is played.
  public mutating func mapToTap(
    _ trigger: MIDITrigger, fileID: String = #fileID, line: Int = #line
  ) {
    map(trigger, [.init("tap", true)], CallSite(file: fileID, line: line))
  }

  private mutating func map(
    _ trigger: MIDITrigger, _ target: [ChainValue.Member], _ site: CallSite
  ) {
    let mapping = ChainValue.object(trigger.keys + target)
    guard case .object(var input)? = keys.value(of: "midi") else {
      append(mapping, to: "midi", site)
      return
    }
    let mappings = input.value(of: "map")?.elements ?? []
    input.set("map", .array(mappings + [mapping]))
    keys.set("midi", .object(input))
    sites["/midi/map/\(mappings.count)"] = site
  }
}
