// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Places a sound around the head: to the side, up, and far away.
public struct Spatial: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - preset: Values that the other arguments override.
  ///   - azimuth: To the right from the front: 90 is right, 180 behind, -90 left; 360 is once
  ///     around. (-3600…3600°; default 0)
  ///   - elevation: Up; -90 is below. The model of a head hears no height, and front and back
  ///     alike. (-90…90°; default 0)
  ///   - distance: In metres. At 1 the level is as it was; twice as far is 6 dB less. (0.1…1000;
  ///     default 1)
  ///   - method: How the ears differ: `head` by the time, the level and the shadow of a head, for
  ///     headphones; `power` by level alone, for loudspeakers. (default head)
  ///   - hrtf: A SOFA file with the responses of real ears, in place of `method`; libmysofa comes
  ///     with one. (a SOFA file, relative to the chain's folder)
  ///   - doppler: Whether sound takes its time from the distance, so that the pitch follows
  ///     movement. (default false)
  ///   - farthest: The distance in metres up to which the time follows it. (1…1000; default 100)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    preset: Preset? = nil,
    azimuth: Degrees? = nil,
    elevation: Degrees? = nil,
    distance: Double? = nil,
    method: Method? = nil,
    hrtf: String? = nil,
    doppler: Bool? = nil,
    farthest: Double? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("spatial", id, fileID, line)
    node.setOption("preset", preset)
    node.set("azimuth", azimuth)
    node.set("elevation", elevation)
    node.set("distance", distance)
    node.setOption("method", method)
    node.setOption("hrtf", hrtf)
    node.setOption("doppler", doppler)
    node.setOption("farthest", farthest)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// To the right from the front: 90 is right, 180 behind, -90 left; 360 is once around.
  /// (-3600…3600°; default 0)
  public var azimuth: ParameterReference<Degrees> { reference("azimuth") }

  /// Up; -90 is below. The model of a head hears no height, and front and back alike. (-90…90°;
  /// default 0)
  public var elevation: ParameterReference<Degrees> { reference("elevation") }

  /// In metres. At 1 the level is as it was; twice as far is 6 dB less. (0.1…1000; default 1)
  public var distance: ParameterReference<Double> { reference("distance") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// How the ears differ: `head` by the time, the level and the shadow of a head, for headphones;
  /// `power` by level alone, for loudspeakers.
  public enum Method: String, ParameterChoice {
    case head
    case power
  }

  /// Presets of the unit.
  public enum Preset: String, ParameterChoice {
    /// 30 degrees to the left.
    case leftLoudspeaker = "left loudspeaker"
    /// 30 degrees to the right.
    case rightLoudspeaker = "right loudspeaker"
    /// Close to the right ear.
    case whisper
  }
}
