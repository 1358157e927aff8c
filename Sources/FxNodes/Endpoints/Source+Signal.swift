// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Source {
  /// A test signal, the same to the bit on every machine; `sine` is `tone`.
  ///
  /// - Parameters:
  ///   - kind: The kind of signal.
  ///   - id: The id of the node; nil for an automatic one.
  ///   - duration: How long it lasts; default: without an end, a `sweep` 10 s. (0.001…86400 s)
  ///   - level: Of its peaks. The RMS of `noise` is 4.8 dB lower. That of pink, brown, blue and
  ///     violet noise is 12 dB lower; their few peaks above the level are clipped. Default -12 dB.
  ///     (-200…24 dB; default -12)
  ///   - frequency: Of `tone` and `bursts`; default 1 kHz. (0.001…384000 Hz; default 1000)
  ///   - from: Where a `sweep` begins; default 20 Hz. (0.001…384000 Hz; default 20)
  ///   - to: Where a `sweep` ends; default 20 kHz. (0.001…384000 Hz; default 20000)
  ///   - start: Where the `impulse` is; default 0. (0…86400 s; default 0)
  ///   - seed: Of noises and of `programme`; default 1. (0…9007199254740991; default 1)
  ///   - channels: How many; default 2. (1…256; default 2)
  ///   - layout: The channel layout, in the order of a WAV file; default: the source's own,
  ///     otherwise the usual layout for its number of channels.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public static func signal(
    _ kind: Source.SignalKind,
    id: String? = nil,
    duration: Time? = nil,
    level: Level? = nil,
    frequency: Frequency? = nil,
    from: Frequency? = nil,
    to: Frequency? = nil,
    start: Time? = nil,
    seed: Int? = nil,
    channels: Int? = nil,
    layout: LayoutName? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) -> Source {
    var made = Source("signal", kind.chainValue, id, fileID, line)
    made.set("duration", duration)
    made.set("level", level)
    made.set("frequency", frequency)
    made.set("from", from)
    made.set("to", to)
    made.set("start", start)
    made.set("seed", seed)
    made.set("channels", channels)
    made.set("layout", layout)
    return made
  }
}
