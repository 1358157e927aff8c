/// How samples are written to a file.
public struct FileEncoding: Sendable, Hashable {
  /// How a sample is stored.
  public enum Depth: Sendable, Hashable, CaseIterable {
    case int8, int16, int24, int32, float32, float64

    public var bits: Int {
      switch self {
      case .int8: 8
      case .int16: 16
      case .int24: 24
      case .int32, .float32: 32
      case .float64: 64
      }
    }

    public var isFloat: Bool { self == .float32 || self == .float64 }

    /// nil for an unsupported number of bits.
    package init?(bits: Int, isInteger: Bool = false) {
      switch (bits, isInteger) {
      case (8, _): self = .int8
      case (16, _): self = .int16
      case (24, _): self = .int24
      case (32, true): self = .int32
      case (32, false): self = .float32
      case (64, false): self = .float64
      default: return nil
      }
    }
  }

  /// One of `formats`; nil: from the file name's extension, WAV on standard output.
  public var format: String?
  /// nil: 24 bits for FLAC, otherwise 32-bit float for a chain's own sinks and 24 bits for `-o`.
  public var depth: Depth?
  /// Triangular dither of one step before rounding to 8 or 16 bits.
  public var isDithered: Bool
  /// Shapes the rounding noise so that it is less audible.
  public var shapesNoise: Bool
  /// The level in decibels to which the highest peak is normalized; nil: unchanged.
  public var normalizedPeak: Double?
  /// The bit rate of MP3 and Opus in kbit/s; nil: a quality is used.
  public var kilobits: Int?
  /// From 0 to 1, for MP3 and Vorbis; nil: the encoder's default.
  public var quality: Double?
  /// From 0 (fast) to 8 (small), for FLAC.
  public var compression: Int?
  /// Writes loudness tags.
  public var tagsLoudness: Bool
  /// More tags of the file, by key.
  public var tags: [String: String]
  /// Fades and silence at the ends of the sound.
  public var shape = OutputShape()
  /// Where the sound is split into several files; nil for one file.
  public var split: SplitRule?
  /// The definition of silence for `split`.
  public var silence = SilenceRule()

  public init(
    format: String? = nil, depth: Depth? = nil, isDithered: Bool = true, shapesNoise: Bool = false,
    normalizedPeak: Double? = nil, kilobits: Int? = nil, quality: Double? = nil,
    compression: Int? = nil, tagsLoudness: Bool = false, tags: [String: String] = [:]
  ) {
    self.format = format
    self.depth = depth
    self.isDithered = isDithered
    self.shapesNoise = shapesNoise
    self.normalizedPeak = normalizedPeak
    self.kilobits = kilobits
    self.quality = quality
    self.compression = compression
    self.tagsLoudness = tagsLoudness
    self.tags = tags
  }

  /// Allowed peak levels in decibels.
  package static let peaks = -100.0...0
  /// In kbit/s.
  package static let bitRates = 6...512
  package static let qualities = 0.0...1.0
  package static let compressions = 0...8
  package static let formats = [
    "wav", "flac", "aiff", "caf", "w64", "rf64", "au", "ogg", "opus", "mp3", "raw",
  ]
}

/// The encoding as options of a sink.
extension FileEncoding {
  package static let specs =
    [
      OptionSpec(
        "format",
        "The format, if the name does not choose one; default on standard output `wav`.",
        .choice(formats), default: nil),
      OptionSpec(
        "bits", "Bits per sample: 8, 16, 24, 32 (float) or 64 (float).", .integer(8...64),
        default: nil),
      OptionSpec(
        "integer", "With 32 bits: whole numbers in place of floats.", .flag, default: nil),
      OptionSpec(
        "dither", "For 8 and 16 bits: triangular dither.", .flag, default: .flag(true)),
      OptionSpec(
        "noiseShaping",
        "For 8 and 16 bits: noise shaping, which moves the noise to where it is heard less.", .flag,
        default: nil),
      OptionSpec(
        "normalize",
        "Level of the highest peak, by one gain: the whole sound is measured first, so not live.",
        .number(.decibels, peaks), default: nil),
      OptionSpec(
        "bitRate", "Bit rate in kbit/s: .mp3 and .opus.", .integer(bitRates), default: nil),
      OptionSpec(
        "quality", "From 0, small, to 1, good: .mp3 and .ogg; default 0.6.",
        .number(.none, qualities), default: nil),
      OptionSpec(
        "compression", "From 0, fast, to 8, small: .flac; default 5.", .integer(compressions),
        default: nil),
      OptionSpec(
        "loudnessTags",
        "Writes the loudness into tags, for players: ReplayGain, or R128 in Opus.", .flag,
        default: nil),
      OptionSpec(
        "tags",
        "Tags such as `title`, `artist`, `album`, added to those of the main input.",
        .texts, default: nil),
    ] + OutputShape.specs

  package init(_ options: [String: OptionValue]) {
    var tags: [String: String] = [:]
    if case .texts(let texts)? = options["tags"] { tags = texts }
    self.init(
      format: options.text("format"),
      depth: options.integer("bits").flatMap {
        Depth(bits: $0, isInteger: options.flag("integer") ?? false)
      },
      isDithered: options.flag("dither") ?? true,
      shapesNoise: options.flag("noiseShaping") ?? false,
      normalizedPeak: options.number("normalize"), kilobits: options.integer("bitRate"),
      quality: options.number("quality"), compression: options.integer("compression"),
      tagsLoudness: options.flag("loudnessTags") ?? false, tags: tags)
    shape = OutputShape(options)
    split = SplitRule(options)
    silence = SilenceRule(options)
  }

  /// The first option that concerns the rounding to whole numbers; nil for none.
  package var roundingOption: String? {
    if depth != nil { return "a number of bits" }
    if shapesNoise { return "noise shaping" }
    return isDithered ? nil : "a choice of dither"
  }

  package var options: [String: OptionValue] {
    var options: [String: OptionValue] = ["dither": .flag(isDithered)]
    if let format { options["format"] = .text(format) }
    if let depth {
      options["bits"] = .number(Double(depth.bits))
      if depth == .int32 { options["integer"] = .flag(true) }
    }
    if shapesNoise { options["noiseShaping"] = .flag(true) }
    if let normalizedPeak { options["normalize"] = .number(normalizedPeak) }
    if let kilobits { options["bitRate"] = .number(Double(kilobits)) }
    if let quality { options["quality"] = .number(quality) }
    if let compression { options["compression"] = .number(Double(compression)) }
    if tagsLoudness { options["loudnessTags"] = .flag(true) }
    if !tags.isEmpty { options["tags"] = .texts(tags) }
    options.merge(shape.options) { $1 }
    if let split {
      options["split"] = .text(split.text)
      options.merge(silence.options) { $1 }
    }
    return options
  }

  /// Finds options that exclude each other, and unsupported bits.
  package static func conflict(_ options: [String: OptionValue]) -> OptionConflict? {
    if options.integer("bitRate") != nil, options.number("quality") != nil {
      return OptionConflict(
        "quality", concernsOthers: true, "'quality' and 'bitRate' exclude each other",
        hint: "leave one of them out")
    }
    if let conflict = SplitRule.conflict(options) { return conflict }
    guard let bits = options.integer("bits") else { return nil }
    let isInteger = options.flag("integer") == true
    guard let depth = Depth(bits: bits, isInteger: isInteger) else {
      guard bits != 64 else {
        return OptionConflict(
          "integer", concernsOthers: true, "'integer' goes with 32 bits, not with 64",
          hint: "leave it out, or write \"bits\": 32")
      }
      return OptionConflict(
        "bits", concernsOthers: false, "'bits' cannot be \(bits)",
        hint: "one of: 8, 16, 24, 32 (float), 64 (float)")
    }
    for key in ["dither", "noiseShaping"] where options.flag(key) == true && depth.bits > 16 {
      return OptionConflict(
        key, concernsOthers: true, "'\(key)' goes with 8 and 16 bits, not with \(bits)",
        hint: "leave it out, or write \"bits\": 16")
    }
    return nil
  }
}
