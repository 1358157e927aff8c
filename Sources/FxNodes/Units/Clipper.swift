// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Cuts off what is louder than a threshold, peak by peak and without a release.
public struct Clipper: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - threshold: The level at which the wave is cut; when oversampled, single samples exceed it
  ///     by a decibel or two, in noise by four. (-48…0 dB; default -1)
  ///   - softness: How far below the threshold the knee begins, as a share of it: 0 clips hard.
  ///     (0…1; default 0.2)
  ///   - drive: How much louder the signal is made beforehand. (0…36 dB; default 0)
  ///   - oversampling: The oversampling of the curve; more leaves less aliasing. (default 8x)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    threshold: Level? = nil,
    softness: Ratio? = nil,
    drive: Level? = nil,
    oversampling: Oversampling? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("clipper", id, fileID, line)
    node.set("threshold", threshold)
    node.set("softness", softness)
    node.set("drive", drive)
    node.setOption("oversampling", oversampling)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The level at which the wave is cut; when oversampled, single samples exceed it by a decibel or
  /// two, in noise by four. (-48…0 dB; default -1)
  public var threshold: ParameterReference<Level> { reference("threshold") }

  /// How far below the threshold the knee begins, as a share of it: 0 clips hard. (0…1; default
  /// 0.2)
  public var softness: ParameterReference<Ratio> { reference("softness") }

  /// How much louder the signal is made beforehand. (0…36 dB; default 0)
  public var drive: ParameterReference<Level> { reference("drive") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }

  /// The oversampling of the curve; more leaves less aliasing.
  public enum Oversampling: String, ParameterChoice {
    case off
    case twofold = "2x"
    case fourfold = "4x"
    case eightfold = "8x"
  }
}
