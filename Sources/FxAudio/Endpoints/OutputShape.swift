/// Fades and silence at the ends of a written sound.
public struct OutputShape: Sendable, Hashable {
  /// Seconds.
  public var fadeIn: Double
  /// Seconds, up to the end of the sound including its tail.
  public var fadeOut: Double
  /// Seconds of silence before the sound.
  public var padStart: Double
  /// Seconds of silence after it.
  public var padEnd: Double

  public init(
    fadeIn: Double = 0, fadeOut: Double = 0, padStart: Double = 0, padEnd: Double = 0
  ) {
    self.fadeIn = fadeIn
    self.fadeOut = fadeOut
    self.padStart = padStart
    self.padEnd = padEnd
  }

  package var isPlain: Bool { self == OutputShape() }

  /// In seconds. The end of the sound is held in memory for its fade-out.
  package static let fades = 0.0...300.0
  package static let pads = 0.0...86400.0

  static let specs = [
    OptionSpec("fadeIn", "Fades the beginning in.", .number(.seconds, fades), default: nil),
    OptionSpec(
      "fadeOut", "Fades the end out.", .number(.seconds, fades), default: nil),
    OptionSpec("padStart", "Silence before the sound.", .number(.seconds, pads), default: nil),
    OptionSpec("padEnd", "Silence after the sound.", .number(.seconds, pads), default: nil),
  ]

  init(_ options: [String: OptionValue]) {
    self.init(
      fadeIn: options.number("fadeIn") ?? 0, fadeOut: options.number("fadeOut") ?? 0,
      padStart: options.number("padStart") ?? 0, padEnd: options.number("padEnd") ?? 0)
  }

  /// The values other than 0, by key.
  package var values: [(key: String, seconds: Double)] {
    [("fadeIn", fadeIn), ("fadeOut", fadeOut), ("padStart", padStart), ("padEnd", padEnd)]
      .filter { $0.1 != 0 }
  }

  var options: [String: OptionValue] {
    values.reduce(into: [:]) { $0[$1.key] = .number($1.seconds) }
  }
}
