// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// Bound by the command line; `main` is the first argument.
  ///
  /// - Parameters:
  ///   - name: The name; `main` is the usual one.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - raw: Samples without a header: their coding, sample rate and channels, `"s16le,48000,2"`;
  ///     also the name of a layout, and `offset=` bytes to skip.
  ///   - cutSilence: Removes silence: at the `start`, the `end` or both `ends`, longer than
  ///     `silenceTime` `inside`, or `all` of these. Times count in the sound that is left.
  ///   - silenceLevel: A sound is silent while no sample is above this level; default -50 dB.
  ///     (-120…0 dB)
  ///   - silenceTime: How long a pause between two sounds has to be to count as silence; default
  ///     0.5 s. (0.01…30 s)
  ///   - silenceKeep: How much of a silence is kept, half on either side; default: 0.2 s. (0…30 s)
  ///   - silenceFade: The length of the crossfade at each cut; default 5 ms. (0…1 s)
  ///   - at: When it begins; silence before. Default: at 0.
  ///   - start: Where in the file it begins; default: at the file's beginning.
  ///   - duration: How much of the file is played; default: the rest.
  ///   - loop: How often that is played, or `"forever"`; default 1.
  ///   - gain: Its level; default 0 dB.
  ///   - fadeIn: A time, or an object with `time` and `curve`.
  ///   - fadeOut: The same, at the end.
  ///   - reverse: Played from its end to its beginning.
  ///   - speed: How fast it is played; its pitch follows. Default 1.
  ///   - keepPitch: The pitch stays at any `speed`, from 0.25 to 4. Played from its middle, the
  ///     phases differ.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func input(
    _ name: String = "main",
    id: String? = nil,
    layout: LayoutName? = nil,
    raw: String? = nil,
    cutSilence: Source.CutSilence? = nil,
    silenceLevel: Level? = nil,
    silenceTime: Time? = nil,
    silenceKeep: Time? = nil,
    silenceFade: Time? = nil,
    at: Time? = nil,
    start: Time? = nil,
    duration: Time? = nil,
    loop: Repetition? = nil,
    gain: Level? = nil,
    fadeIn: Fade? = nil,
    fadeOut: Fade? = nil,
    reverse: Bool? = nil,
    speed: Ratio? = nil,
    keepPitch: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("input", name.chainValue, id, fileID, line)
    made.set("layout", layout)
    made.set("raw", raw)
    made.set("cutSilence", cutSilence)
    made.set("silenceLevel", silenceLevel)
    made.set("silenceTime", silenceTime)
    made.set("silenceKeep", silenceKeep)
    made.set("silenceFade", silenceFade)
    made.set("at", at)
    made.set("start", start)
    made.set("duration", duration)
    made.set("loop", loop)
    made.set("gain", gain)
    made.set("fadeIn", fadeIn)
    made.set("fadeOut", fadeOut)
    made.set("reverse", reverse)
    made.set("speed", speed)
    made.set("keepPitch", keepPitch)
    return made
  }
}
