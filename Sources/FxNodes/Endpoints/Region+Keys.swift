// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

extension Region {
  /// A piece of a file in the schedule of a `player`. Without `at`, `after` or `with` it begins at
  /// the end of the region before it.
  ///
  /// - Parameters:
  ///   - file: An audio file, relative to the chain's folder.
  ///   - id: A name, for other regions and for messages.
  ///   - at: When it begins.
  ///   - after: It begins where the region of this id ends.
  ///   - with: It begins together with the region of this id.
  ///   - offset: How much later than `after`, `with` or the region before it says; below zero
  ///     earlier.
  ///   - until: Where it ends at the latest: a time, or the id of a region that ends then.
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
  ///   - crossfade: The overlap with the region that it comes after, which fades out while this one
  ///     fades in.
  ///   - channels: The file's channels, from 1, in the order in which they are played; default:
  ///     all.
  public init(
    _ file: String,
    id: String? = nil,
    at: Time? = nil,
    after: String? = nil,
    with: String? = nil,
    offset: Time? = nil,
    until: RegionEnd? = nil,
    start: Time? = nil,
    duration: Time? = nil,
    loop: Repetition? = nil,
    gain: Level? = nil,
    fadeIn: Fade? = nil,
    fadeOut: Fade? = nil,
    reverse: Bool? = nil,
    speed: Ratio? = nil,
    keepPitch: Bool? = nil,
    crossfade: Fade? = nil,
    channels: [Int]? = nil
  ) {
    chainValue = ["file": .string(file)]
    set("id", id)
    set("at", at)
    set("after", after)
    set("with", with)
    set("offset", offset)
    set("until", until)
    set("start", start)
    set("duration", duration)
    set("loop", loop)
    set("gain", gain)
    set("fadeIn", fadeIn)
    set("fadeOut", fadeOut)
    set("reverse", reverse)
    set("speed", speed)
    set("keepPitch", keepPitch)
    set("crossfade", crossfade)
    set("channels", channels)
  }
}
