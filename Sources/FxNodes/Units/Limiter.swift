// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Keeps a sound under a ceiling, between its samples too.
public struct Limiter: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - ceiling: The level that nothing exceeds. (-24…0 dB; default -1)
  ///   - release: Time to recover 63 % after a lasting level; 6 ms after a single peak. (0.001…2 s;
  ///     default 0.08)
  ///   - gain: The level change before the limiter. (0…36 dB; default 0)
  ///   - lookahead: How long the gain takes to fall before a peak; adds as much latency, and true
  ///     peaks 10 frames more. (0.0005…0.02 s; default 0.001)
  ///   - truePeak: Whether true peaks, between the samples, stay under the ceiling as well.
  ///     (default true)
  ///   - link: How much a channel follows the loudest one: at 1 all are turned down alike, at 0
  ///     each by itself. (0…1; default 1)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    ceiling: Level? = nil,
    release: Time? = nil,
    gain: Level? = nil,
    lookahead: Time? = nil,
    truePeak: Bool? = nil,
    link: Ratio? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("limiter", id, fileID, line)
    node.setOption("preset", preset)
    node.set("ceiling", ceiling)
    node.set("release", release)
    node.set("gain", gain)
    node.setOption("lookahead", lookahead)
    node.setOption("truePeak", truePeak)
    node.setOption("link", link)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level that nothing exceeds. (-24…0 dB; default -1)
  public var ceiling: ParameterReference<Level> { reference("ceiling") }

  /// Time to recover 63 % after a lasting level; 6 ms after a single peak. (0.001…2 s; default
  /// 0.08)
  public var release: ParameterReference<Time> { reference("release") }

  /// The level change before the limiter. (0…36 dB; default 0)
  public var gain: ParameterReference<Level> { reference("gain") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Catches the odd peak and leaves the rest alone.
    case safety
    /// A finished mix made louder.
    case loud
    /// The headroom that EBU R 128 leaves to lossy coders.
    case broadcast
  }
}
