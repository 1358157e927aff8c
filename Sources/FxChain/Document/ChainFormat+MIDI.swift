import FxAudio

extension ChainFormat {
  private static let times: ValueShape = .quantity(.seconds, 0...86400)
  private static let channels = 1...16

  package static let midi = ObjectSpec(
    "midi", "a node's MIDI", "Exactly one of `file`, `events` and `port`.",
    keys: [
      KeySpec(
        "file", .string, "A standard MIDI file (format 0 or 1), relative to the chain's folder."),
      KeySpec("channel", .integer(channels), "With `file`: only this channel; default: all."),
      KeySpec("events", .list(.object(midiEvent)), "Notes and controllers, in any order."),
      KeySpec(
        "port", .string, "A MIDI input of this name that is played while the chain runs; live only."
      ),
      KeySpec(
        "from", .string,
        "With `port`: the sender that it is connected to, `client:port` by names or numbers."),
      KeySpec("comment", .string, "For people; fxrun ignores it."),
    ])

  package static let midiEvent = ObjectSpec(
    "midiEvent", "a MIDI event",
    "A time and one of `note`, `controller`, `program`, `pitchBend`, `pressure`, `bytes`.",
    keys: [
      KeySpec("at", times, "When, from the beginning of the chain's input.", isRequired: true),
      KeySpec(
        "note", .either([.integer(0...127), .string]),
        "A number or a name; `\"C4\"` is 60, `\"F#3\"` 54, `\"Bb-1\"` 10."),
      KeySpec("velocity", .integer(1...127), "With `note`; default 100."),
      KeySpec("duration", times, "With `note`; more than 0, default 0.5 s."),
      KeySpec("controller", .integer(0...127), "The number of a controller."),
      KeySpec("value", .integer(0...127), "With `controller`."),
      KeySpec("program", .integer(0...127), "A program, from 0."),
      KeySpec("pitchBend", .integer(-8192...8191), "0 is the middle."),
      KeySpec("pressure", .integer(0...127), "Of the whole channel."),
      KeySpec(
        "bytes", .string, "Any channel message, in hexadecimal: `\"90 3C 64\"` or `\"903C64\"`."),
      KeySpec("channel", .integer(channels), "Default 1."),
      KeySpec("comment", .string, "For people; fxrun ignores it."),
    ])
}
