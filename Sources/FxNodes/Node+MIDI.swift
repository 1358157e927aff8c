/// A MIDI message that a chain plays at a time, counted from the beginning of its input.
public struct ScheduledMIDI: Sendable, Hashable {
  let value: ChainValue

  /// A note: its start and its end.
  ///
  /// - Parameters:
  ///   - number: 0 to 127; 60 is middle C.
  ///   - time: its start.
  ///   - duration: more than 0; nil for 0.5 s.
  ///   - velocity: 1 to 127.
  ///   - channel: 1 to 16; nil for 1.
  public static func note(
    _ number: Int, at time: Time, duration: Time? = nil, velocity: Int = 100, channel: Int? = nil
  ) -> ScheduledMIDI {
    note(number.chainValue, time, duration, velocity, channel)
  }

  /// A note by its name.
  ///
  /// - Parameters:
  ///   - name: a letter, `#` or `b`, and the octave: `"C4"` is 60.
  ///   - time: its start.
  ///   - duration: more than 0; nil for 0.5 s.
  ///   - velocity: 1 to 127.
  ///   - channel: 1 to 16; nil for 1.
  public static func note(
    _ name: String, at time: Time, duration: Time? = nil, velocity: Int = 100, channel: Int? = nil
  ) -> ScheduledMIDI {
    note(name.chainValue, time, duration, velocity, channel)
  }

  private static func note(
    _ note: ChainValue, _ time: Time, _ duration: Time?, _ velocity: Int, _ channel: Int?
  ) -> ScheduledMIDI {
    var keys: [ChainValue.Member] = [ChainValue.Member("note", note)]
    keys.set("duration", duration?.chainValue)
    keys.set("velocity", velocity.chainValue)
    return ScheduledMIDI(time, channel, keys)
  }

  private init(_ time: Time, _ channel: Int?, _ keys: [ChainValue.Member]) {
    var members = [ChainValue.Member("at", time.chainValue)] + keys
    members.set("channel", channel?.chainValue)
    value = .object(members)
  }

  /// - Parameters:
  ///   - number: 0 to 127.
  ///   - value: 0 to 127.
  ///   - time: when it is sent.
  ///   - channel: 1 to 16; nil for 1.
  public static func controller(
    _ number: Int, _ value: Int, at time: Time, channel: Int? = nil
  ) -> ScheduledMIDI {
    ScheduledMIDI(
      time, channel,
      [
        ChainValue.Member("controller", number.chainValue),
        ChainValue.Member("value", value.chainValue),
      ])
  }

  /// - Parameters:
  ///   - number: 0 to 127.
  ///   - time: when it is sent.
  ///   - channel: 1 to 16; nil for 1.
  public static func program(_ number: Int, at time: Time, channel: Int? = nil) -> ScheduledMIDI {
    ScheduledMIDI(time, channel, [ChainValue.Member("program", number.chainValue)])
  }

  /// - Parameters:
  ///   - value: -8192 to 8191; 0 is the middle.
  ///   - time: when it is sent.
  ///   - channel: 1 to 16; nil for 1.
  public static func pitchBend(_ value: Int, at time: Time, channel: Int? = nil) -> ScheduledMIDI {
    ScheduledMIDI(time, channel, [ChainValue.Member("pitchBend", value.chainValue)])
  }
}

extension ChainNode {
  /// The same node; it plays a standard MIDI file.
  ///
  /// - Parameters:
  ///   - file: the path, relative to the chain's folder.
  ///   - channel: 1 to 16; nil for all.
  public func midi(file: String, channel: Int? = nil) -> Self {
    changed { node in
      var midi: ChainValue = ["file": .string(file)]
      midi["channel"] = channel?.chainValue
      node[key: "midi"] = midi
    }
  }

  /// The same node; live, it plays what a MIDI input of this name receives.
  ///
  /// - Parameters:
  ///   - port: the name of the input.
  ///   - sender: `client:port`, by names or numbers; nil for none yet.
  public func midi(port: String, from sender: String? = nil) -> Self {
    changed { node in
      var midi: ChainValue = ["port": .string(port)]
      midi["from"] = sender?.chainValue
      node[key: "midi"] = midi
    }
  }

  /// The same node; it plays these messages, in any order.
  public func midi(_ events: [ScheduledMIDI]) -> Self {
    changed { $0[key: "midi"] = ["events": .array(events.map(\.value))] }
  }
}
