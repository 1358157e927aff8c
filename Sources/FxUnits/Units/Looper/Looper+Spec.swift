package import FxAudio

extension Looper {
  package static let spec = UnitSpec(
    "looper", name: "Looper",
    summary: "Records a phrase, repeats it, and records more on top of it.",
    category: "recording",
    parameters: [
      .button(
        "pedal",
        "A press records, closes the loop and plays it, overdubs, plays on; plays a stopped loop."),
      .button("record", "A press records a new loop; while it records, it closes the loop."),
      .button(
        "play", "A press plays from the loop's beginning, or ends a recording or an overdub."),
      .button("overdub", "A press begins or ends an overdub, or closes the loop and overdubs it."),
      .button(
        "stop", "A press closes the loop and stops it; `hold` says how it clears a stopped loop."),
      .button(
        "undo",
        "A press removes the last overdub, the next one brings it back; it discards a recording."),
      .button("clear", "A press removes the loop."),
      .button("halfSpeed", "Whether it plays at half speed, an octave lower."),
      .button("reverse", "Whether it plays backwards."),
      ParameterSpec(
        "beats", "The length of a new loop in beats; 0 for a length set by presses.", .none,
        0...256, default: 0, smoothing: .none, isInteger: true),
      ParameterSpec(
        "feedback", "The level of earlier layers after each pass of an overdub.", .ratio, 0...1,
        default: 1),
      .gain("level", "The level of the loop."),
      .gain("through", "The level of the input in the output."),
    ],
    options: [
      OptionSpec(
        "seconds", "The longest loop; a recording that reaches it closes.",
        .number(.seconds, 1...600), default: .number(60)),
      OptionSpec(
        "afterRecording", "What the loop does when `pedal` or `record` closes it, or its length.",
        .choice(["play", "overdub"]), default: .text("play")),
      OptionSpec(
        "quantize",
        "While the musical time runs, presses of `pedal`, `record`, `play`, `overdub` and `stop` wait for the next beat or bar.",
        .choice(["off", "beat", "bar"]), default: .text("off")),
      OptionSpec(
        "press",
        "What a press is: a change to `true`, or any change, for pedals that latch and for mappings that toggle.",
        .choice(["on", "change"]), default: .text("on")),
      OptionSpec(
        "hold",
        "How long `stop` is held to remove the loop; with 0, a press while it is stopped does.",
        .number(.seconds, 0...10), default: .number(0)),
    ],
    readings: [
      ReadingSpec(
        "state", "0 empty, 1 recording, 2 playing, 3 overdubbing, 4 stopped.", .none),
      ReadingSpec("position", "The place in the loop.", .seconds),
      ReadingSpec("length", "The length of the loop, or of the recording so far.", .seconds),
      ReadingSpec("layers", "The first recording and the overdubs that are not undone.", .none),
    ],
    presets: [
      UnitPreset(
        "sound on sound", "Every pass is recorded, and layers fade as on two tape machines.",
        ["feedback": 0.7], options: ["afterRecording": .text("overdub")]),
      UnitPreset(
        "four bars", "Sixteen beats from the next bar on.", ["beats": 16],
        options: ["quantize": .text("bar")]),
    ])
}

extension ParameterSpec {
  /// A parameter that is `true` while a button is down, without a ramp.
  fileprivate static func button(_ id: String, _ summary: String) -> ParameterSpec {
    ParameterSpec(
      id, summary, .none, 0...1, default: 0, smoothing: .none, isToggle: true)
  }
}
