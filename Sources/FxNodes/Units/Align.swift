// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.

/// Delays the signal by whole frames.
public struct Align: ChainNode {
  public var node: Node

  public init(node: Node) { self.node = node }

  /// - Parameters:
  ///   - id: The id of the node; nil for the unit's name.
  ///   - time: The delay, to the nearest frame; a change is crossfaded. (0…10 s; default 0)
  ///   - frames: A delay of any length, added to the time. (0…100000000; default 0)
  ///   - distance: The way of the sound in air in metres, added at 343 m/s. (0…10000; default 0)
  ///   - wet: The share of the processed signal.
  ///   - bypass: Passes the input on.
  ///   - fileID: The file of the call, for messages.
  ///   - line: The line of the call, for messages.
  public init(
    id: String? = nil,
    time: Time? = nil,
    frames: Int? = nil,
    distance: Double? = nil,
    wet: Ratio? = nil,
    bypass: Bool? = nil,
    fileID: String = #fileID,
    line: Int = #line
  ) {
    node = Node("align", id, fileID, line)
    node.set("time", time)
    node.setOption("frames", frames)
    node.setOption("distance", distance)
    node.set("wet", wet)
    node.set("bypass", bypass)
  }

  /// The delay, to the nearest frame; a change is crossfaded. (0…10 s; default 0)
  public var time: ParameterReference<Time> { reference("time") }

  /// The share of the processed signal.
  public var wet: ParameterReference<Ratio> { reference("wet") }

  /// Passes the input on.
  public var bypass: ParameterReference<Bool> { reference("bypass") }
}
