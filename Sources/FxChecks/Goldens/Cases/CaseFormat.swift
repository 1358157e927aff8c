import FxAudio
package import FxChain
import FxUnits

/// The objects of the format of case files and their keys.
package enum CaseFormat {
  /// The format that this version reads.
  package static let version = 1

  /// Seconds. No test signal can be shorter than the minimum, and a day is enough for any test.
  private static let durations: ValueShape = .quantity(.seconds, 0.000_1...86400)
  private static let below: ValueShape = .quantity(.decibels, -400...0)
  private static let frequencies: ValueShape = .quantity(.hertz, 0.1...384_000)
  private static let comment = KeySpec("comment", .string, "For people; fxrun ignores it.")

  /// The keys that a case may have, and its file for all of its cases.
  private static let common: [KeySpec] = [
    KeySpec(
      "chain", .string,
      "The chain, relative to the case file's folder; default: `NAME.json` beside "
        + "`NAME.test.json`."),
    KeySpec(
      "input", .either([.string, .object(signal)]),
      "The sound for the chain's input `main`: a sound file, relative to the case file's folder, "
        + "or a signal. Default: `programme` with peaks of -0.1 dB; every other input that is not "
        + "named gets a different signal."),
    KeySpec(
      "inputs", .map(.either([.string, .object(signal)])),
      "The same by the name of the chain's input."),
    KeySpec(
      "duration", durations,
      "The length of the input; default: all of a file, 2 s of a signal."),
    KeySpec(
      "sampleRate", .quantity(.hertz, ChainFormat.sampleRates),
      "The sample rate of signals; default 48 kHz."),
    KeySpec("channels", .integer(ChainFormat.channelCounts), "Of signals; default 2."),
    KeySpec(
      "blockSize", .integer(ChainFormat.blockSizes), "Frames a block; default: the chain's."),
    KeySpec("define", .map(.value), "Values of the chain's variables."),
    KeySpec(
      "set", .map(.value), "Parameters (`\"comp.threshold\": \"-20 dB\"`), in this order."),
    KeySpec("scene", .string, "The scene to begin with."),
    KeySpec(
      "expect", .string,
      "The golden, relative to the case file's folder: a sound (`golden/voice.wav`, with its "
        + "manifest `golden/voice.golden.json` beside it; `.flac` is smaller and has 24 bits, which "
        + "are enough to explain a difference: the manifest's digest is exact) or a manifest alone "
        + "(`golden/voice.golden.json`), whose digests say whether the bits are the same. "
        + "Default: `golden/NAME.wav`, for a case `quiet` of several `golden/NAME-quiet.wav`."),
    KeySpec(
      "tolerance", .either([.word(["exact"]), below, .object(tolerance)]),
      "How far the sound may differ from the golden: `\"exact\"` (default), the highest peak of the "
        + "difference, or an object."),
    KeySpec(
      "cost", .quantity(.ratio, 0...100),
      "How much slower the chain and each of its nodes may have become; left out, the cost is not checked."
    ),
    comment,
  ]

  package static let file = ObjectSpec(
    "file", "a case file",
    "The whole file: one case, or several under `cases` that share the keys beside it.",
    keys: [
      KeySpec("$schema", .string, "Where an editor finds the JSON Schema; fxrun ignores it."),
      KeySpec("version", .integer(1...1_000_000), "The format: 1.", isRequired: true),
    ] + common + [
      KeySpec(
        "cases", .map(.object(single)),
        "Several cases by name, each with what is different in it. `NAME/quiet` is the case `quiet` "
          + "of `NAME.test.json`.")
    ])

  package static let single = ObjectSpec(
    "case", "a case",
    "One of several. Its keys override the file's; `inputs`, `define` and `set` are merged name by name.",
    keys: common)

  package static let signal = ObjectSpec(
    "signal", "a signal", "A sound that is made, the same to the bit on every machine.",
    keys: [
      KeySpec(
        "signal", .word(TestSignal.Kind.allCases.map(\.rawValue)), "Which one.", isRequired: true),
      KeySpec(
        "level", .quantity(.decibels, -200...24),
        "Of its peaks, in dB below full scale, as in a chain; default -12 dB."),
      KeySpec("frequency", frequencies, "Of `tone` and `bursts`; default 1 kHz."),
      KeySpec("from", frequencies, "Where a `sweep` begins; default 20 Hz."),
      KeySpec("to", frequencies, "Where a `sweep` ends; default 20 kHz."),
      KeySpec(
        "start", .quantity(.seconds, 0...86400), "Where the `impulse` is; default 0."),
      KeySpec(
        "seed", .integer(0...9_007_199_254_740_991),
        "Of noises and of `programme`; default 1."),
      comment,
    ])

  package static let tolerance = ObjectSpec(
    "tolerance", "a tolerance", "All limits that are given must hold.",
    keys: [
      KeySpec("peak", below, "The highest sample of the difference, in dB below full scale."),
      KeySpec(
        "rms", below,
        "The difference's root mean square, of the loudest channel, in dB below full scale."),
      KeySpec(
        "spectral", .quantity(.decibels, 0...120),
        "The furthest that any third of an octave may be louder or quieter, where either sound is "
          + "above -80 dB in it."),
      comment,
    ])

  /// In the order of the reference page.
  package static let objects = [file, single, signal, tolerance]

  /// The JSON Schema of case files.
  package static var schema: JSONOutput {
    ObjectSchema.document(of: objects, title: "fxrun test cases")
  }

  /// The tables of `docs/testing.md`.
  package static var reference: String { ChainReference.tables(of: objects) }
}
