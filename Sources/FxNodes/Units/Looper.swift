// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Records a phrase, repeats it, and records more on top of it.
public struct Looper: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - pedal: A press records, closes the loop and plays it, overdubs, plays on; plays a stopped
  ///     loop. (default false)
  ///   - record: A press records a new loop; while it records, it closes the loop. (default false)
  ///   - play: A press plays from the loop's beginning, or ends a recording or an overdub. (default
  ///     false)
  ///   - overdub: A press begins or ends an overdub, or closes the loop and overdubs it. (default
  ///     false)
  ///   - stop: A press closes the loop and stops it; `hold` says how it clears a stopped loop.
  ///     (default false)
  ///   - undo: A press removes the last overdub, the next one brings it back; it discards a
  ///     recording. (default false)
  ///   - clear: A press removes the loop. (default false)
  ///   - halfSpeed: Whether it plays at half speed, an octave lower. (default false)
  ///   - reverse: Whether it plays backwards. (default false)
  ///   - beats: The length of a new loop in beats; 0 for a length set by presses. (0…256; default
  ///     0)
  ///   - feedback: The level of earlier layers after each pass of an overdub. (0…1; default 1)
  ///   - level: The level of the loop. (-inf…24 dB; default 0)
  ///   - through: The level of the input in the output. (-inf…24 dB; default 0)
  ///   - seconds: The longest loop; a recording that reaches it closes. (1…600 s; default 60)
  ///   - afterRecording: What the loop does when `pedal` or `record` closes it, or its length.
  ///     (default play)
  ///   - quantize: While the musical time runs, presses of `pedal`, `record`, `play`, `overdub` and
  ///     `stop` wait for the next beat or bar. (default off)
  ///   - press: What a press is: a change to `true`, or any change, for pedals that latch and for
  ///     mappings that toggle. (default on)
  ///   - hold: How long `stop` is held to remove the loop; with 0, a press while it is stopped
  ///     does. (0…10 s; default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    pedal: Bool? = nil,
    record: Bool? = nil,
    play: Bool? = nil,
    overdub: Bool? = nil,
    stop: Bool? = nil,
    undo: Bool? = nil,
    clear: Bool? = nil,
    halfSpeed: Bool? = nil,
    reverse: Bool? = nil,
    beats: Int? = nil,
    feedback: Ratio? = nil,
    level: Level? = nil,
    through: Level? = nil,
    seconds: Time? = nil,
    afterRecording: AfterRecording? = nil,
    quantize: Quantize? = nil,
    press: Press? = nil,
    hold: Time? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("looper", id, fileID, line)
    node.setOption("preset", preset)
    node.set("pedal", pedal)
    node.set("record", record)
    node.set("play", play)
    node.set("overdub", overdub)
    node.set("stop", stop)
    node.set("undo", undo)
    node.set("clear", clear)
    node.set("halfSpeed", halfSpeed)
    node.set("reverse", reverse)
    node.set("beats", beats)
    node.set("feedback", feedback)
    node.set("level", level)
    node.set("through", through)
    node.setOption("seconds", seconds)
    node.setOption("afterRecording", afterRecording)
    node.setOption("quantize", quantize)
    node.setOption("press", press)
    node.setOption("hold", hold)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// A press records, closes the loop and plays it, overdubs, plays on; plays a stopped loop.
  /// (default false)
  public var pedal: ParameterReference<Bool> { reference("pedal") }

  /// A press records a new loop; while it records, it closes the loop. (default false)
  public var record: ParameterReference<Bool> { reference("record") }

  /// A press plays from the loop's beginning, or ends a recording or an overdub. (default false)
  public var play: ParameterReference<Bool> { reference("play") }

  /// A press begins or ends an overdub, or closes the loop and overdubs it. (default false)
  public var overdub: ParameterReference<Bool> { reference("overdub") }

  /// A press closes the loop and stops it; `hold` says how it clears a stopped loop. (default
  /// false)
  public var stop: ParameterReference<Bool> { reference("stop") }

  /// A press removes the last overdub, the next one brings it back; it discards a recording.
  /// (default false)
  public var undo: ParameterReference<Bool> { reference("undo") }

  /// A press removes the loop. (default false)
  public var clear: ParameterReference<Bool> { reference("clear") }

  /// Whether it plays at half speed, an octave lower. (default false)
  public var halfSpeed: ParameterReference<Bool> { reference("halfSpeed") }

  /// Whether it plays backwards. (default false)
  public var reverse: ParameterReference<Bool> { reference("reverse") }

  /// The length of a new loop in beats; 0 for a length set by presses. (0…256; default 0)
  public var beats: ParameterReference<Int> { reference("beats") }

  /// The level of earlier layers after each pass of an overdub. (0…1; default 1)
  public var feedback: ParameterReference<Ratio> { reference("feedback") }

  /// The level of the loop. (-inf…24 dB; default 0)
  public var level: ParameterReference<Level> { reference("level") }

  /// The level of the input in the output. (-inf…24 dB; default 0)
  public var through: ParameterReference<Level> { reference("through") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// What the loop does when `pedal` or `record` closes it, or its length.
  public enum AfterRecording: String, ParameterChoice {
    case play
    case overdub
  }

  /// While the musical time runs, presses of `pedal`, `record`, `play`, `overdub` and `stop` wait
  /// for the next beat or bar.
  public enum Quantize: String, ParameterChoice {
    case off
    case beat
    case bar
  }

  /// What a press is: a change to `true`, or any change, for pedals that latch and for mappings
  /// that toggle.
  public enum Press: String, ParameterChoice {
    case on
    case change
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// Every pass is recorded, and layers fade as on two tape machines.
    case soundOnSound = "sound on sound"
    /// Sixteen beats from the next bar on.
    case fourBars = "four bars"
  }
}
