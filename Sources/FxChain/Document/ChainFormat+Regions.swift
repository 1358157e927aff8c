import FxAudio

/// The objects of a player's schedule.
extension ChainFormat {
  private static let times: ValueShape = .quantity(.seconds, 0...86400)
  private static let levels: ValueShape = .quantity(.decibels, -(.infinity)...120)
  static let speeds = 0.01...100.0
  /// The speeds at which the pitch can be kept.
  static let stretches = 0.25...4.0
  static let playCounts = 1...1_000_000

  static let fade = ObjectSpec(
    "fade", "a fade", "A fade that says more than its length.",
    keys: [
      KeySpec("time", times, "How long it is.", isRequired: true),
      KeySpec(
        "curve", .word(FadeCurve.allCases.map(\.rawValue)),
        "How the level goes: `linear` (default of a fade), `equalPower` (default of a crossfade), "
          + "`exponential` (60 dB, evenly in decibels), `sCurve`."),
      comment,
    ])

  private static let fades: ValueShape = .either([times, .object(fade)])

  /// The keys of a region, a file or an input that select a part and how to play it.
  static let pieceKeys = [
    KeySpec("at", times, "When it begins; silence before. Default: at 0."),
    KeySpec("start", times, "Where in the file it begins; default: at the file's beginning."),
    KeySpec("duration", times, "How much of the file is played; default: the rest."),
    KeySpec(
      "loop", .either([.word(["forever"]), .integer(playCounts)]),
      "How often that is played, or `\"forever\"`; default 1."),
    KeySpec("gain", levels, "Its level; default 0 dB."),
    KeySpec("fadeIn", fades, "A time, or an object with `time` and `curve`."),
    KeySpec("fadeOut", fades, "The same, at the end."),
    KeySpec("reverse", .boolean, "Played from its end to its beginning."),
    KeySpec(
      "speed", .quantity(.ratio, speeds), "How fast it is played; its pitch follows. Default 1."),
    KeySpec(
      "keepPitch", .boolean,
      "The pitch stays at any `speed`, from 0.25 to 4. Played from its middle, the phases differ."
    ),
  ]

  package static let region = ObjectSpec(
    "region", "a region",
    "A piece of a file in the schedule of a `player`. Without `at`, `after` or `with` it begins at the "
      + "end of the region before it.",
    keys: [
      KeySpec("file", .string, "An audio file, relative to the chain's folder.", isRequired: true),
      KeySpec("id", .string, "A name, for other regions and for messages."),
    ]
      + pieceKeys.filter { $0.key == "at" }.map {
        KeySpec($0.key, $0.shape, "When it begins.")
      } + [
        KeySpec("after", .string, "It begins where the region of this id ends."),
        KeySpec("with", .string, "It begins together with the region of this id."),
        KeySpec(
          "offset", .quantity(.seconds, -86400...86400),
          "How much later than `after`, `with` or the region before it says; below zero earlier."),
        KeySpec(
          "until", .either([times, .string]),
          "Where it ends at the latest: a time, or the id of a region that ends then."),
      ] + pieceKeys.filter { $0.key != "at" } + [
        KeySpec(
          "crossfade", fades,
          "The overlap with the region that it comes after, which fades out while this one fades "
            + "in."),
        KeySpec(
          "channels", .list(.integer(channelCounts)),
          "The file's channels, from 1, in the order in which they are played; default: all."),
        comment,
      ])
}
