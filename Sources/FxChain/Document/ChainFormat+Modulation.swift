import FxAudio
import FxEngine

extension ChainFormat {
  /// The keys of a modulation, and of a connection to a parameter.
  static let modulationKeys: [KeySpec] = [
    KeySpec(
      "depth", .value,
      "How far the signal moves the parameter: octaves, semitones or hertz for a frequency, decibels "
        + "for a level, otherwise in the parameter's unit of measure, or a share of its range "
        + "(`\"50 %\"`); below zero the other way. Default: the range, or half of it to either side."
    ),
    KeySpec(
      "curve", .word(Modulation.Curve.allCases.map(\.rawValue)),
      "The way from the signal to the parameter: `linear` (default), `square` (slow at first), `root` "
        + "(fast at first), `smooth` (slow at both ends)."),
    KeySpec(
      "polarity", .word(["unipolar", "bipolar"]),
      "From the parameter's value to one side, or to both; default: as the signal is."),
    KeySpec(
      "range", .list(.value),
      "The values of the signal for no modulation and for the whole depth; default: its range."
    ),
    KeySpec(
      "id", .string,
      "The name of the depth, a parameter of the target: `filter.frequency.id`; default: the source's."
    ),
  ]

  /// The keys that a connection to a node does not have.
  static let depthKeys = modulationKeys.filter { $0.key != "id" }

  package static let modulation = ObjectSpec(
    "modulation", "a modulation",
    "A control signal that moves a parameter: that of a modulator, of a plugin's control output or "
      + "CV port.",
    keys: [
      KeySpec("from", .string, "A node, or `node:port`.", isRequired: true),
      KeySpec(
        "to", .string, "`node.parameter`, or a name that an included chain exposes.",
        isRequired: true),
    ] + modulationKeys + [
      KeySpec("feedback", .boolean, "True where it closes a loop."),
      KeySpec("delay", loopTimes, "The loop's delay; with `feedback`."),
      comment,
    ])
}
