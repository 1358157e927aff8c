import FxAudio

extension ChainFormat {
  package static let scene = ObjectSpec(
    "scene", "a scene", "Values that are set together. What a scene does not name stays as it is.",
    keys: [
      KeySpec(
        "parameters", .map(.value), "Values by `node.parameter` or by a name that is exposed."),
      KeySpec(
        "bypass", .either([.map(.boolean), .list(.string)]),
        "Which nodes are bypassed: true or false by node, or a list of the bypassed nodes."),
      KeySpec(
        "ramp", .quantity(.seconds, 0...3600),
        "How long the change takes; default: each parameter's own smoothing."),
      comment,
    ])

  package static let controlInput = ObjectSpec(
    "controlInput", "a chain's MIDI", "Mappings, a clock, and the sender that is listened to.",
    keys: [
      KeySpec(
        "from", .string,
        "The sender that the input is connected to, `client:port` by names or numbers."),
      KeySpec("map", .list(.object(control)), "The mappings; required without `clock`."),
      KeySpec(
        "clock", .boolean,
        "A received MIDI clock sets tempo, start, stop and place while the chain is played."),
      comment,
    ])

  package static let control = ObjectSpec(
    "control", "a MIDI mapping",
    "One of `cc`, `note`, `program`, `bend`, `pressure`, and one of `parameter`, `bypass`, `scene`, `tap`.",
    keys: [
      KeySpec("cc", .integer(0...127), "The number of a controller."),
      KeySpec(
        "note", .either([.integer(0...127), .string]), "A number or a name; `\"C4\"` is 60."),
      KeySpec("program", .integer(0...127), "A program, from 0; with `scene`."),
      KeySpec("bend", .on, "The pitch bend; with `parameter`."),
      KeySpec("pressure", .on, "The pressure of a channel; with `parameter`."),
      KeySpec("channel", .integer(1...16), "Only this channel; default: any."),
      KeySpec("parameter", .string, "`node.parameter`, or a name that is exposed."),
      KeySpec(
        "range", .list(.value),
        "The parameter's values at the least and the greatest value of the controller; default: its range."
      ),
      KeySpec(
        "curve", .word(ControlRange.Curve.allCases.map(\.rawValue)),
        "The curve between them; default `log` for a frequency, `linear` otherwise."),
      KeySpec("bypass", .string, "A node that is bypassed."),
      KeySpec(
        "scene", .string, "A scene, set when a note begins or a controller is at 64 or more."),
      KeySpec(
        "tap", .on,
        "A tapped beat, when a note begins or a controller is at 64 or more: from the second on, their "
          + "mean sets the tempo."),
      KeySpec(
        "mode", .word(["toggle", "momentary"]),
        "For `bypass` and switches: each press changes over (a note's default), or on as long as the "
          + "note is held or the controller is at 64 or more (a controller's default)."),
      comment,
    ])
  static let triggers = ["cc", "note", "program", "bend", "pressure"]
  static let controlTargets = ["parameter", "bypass", "scene", "tap"]

  package static let tap = ObjectSpec(
    "tap", "a tap", "A file that records a node's output.",
    keys: [
      KeySpec(
        "file", .string, "A file to write, relative to the current folder.", isRequired: true),
      KeySpec("bits", .integer(16...32), "16, 24 or 32 (float), as for a sink."),
      KeySpec("dither", .boolean, "Dither before rounding to 16 bits; default true."),
      comment,
    ])

  static let tapKey = KeySpec(
    "tap", .either([.string, .object(tap)]),
    "A file, relative to the current folder, that records the node's output, or an object."
  )
}
