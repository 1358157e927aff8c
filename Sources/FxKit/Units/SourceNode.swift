public import FxAudio

/// Sound that a closure of the program makes on the render thread.
///
/// A chain names it as a unit without inputs, once:
///
///     let voice = SourceNode("voice", channels: 1) { block in
///       for frame in 0..<block.frameCount { block.output(0)[frame] = oscillator.next() }
///     }
///     let chain = Chain(json: #"{ "version": 2, "nodes": { "voice": { "unit": "voice" }, "out": { "sink": "main" } },
///       "connections": ["voice -> out"] }"#, units: UnitSet(voice))
///
/// What the closure writes is heard after the latency of the chain and the device: no queue lies between.
public final class SourceNode: ProgramNode {
  /// Fills every frame of every output channel, full scale at ±1.
  ///
  /// Called on the render thread, which must not wait: the closure must not allocate, lock, log, or touch
  /// objects whose references other threads count. `@_noLocks` on the functions that it calls lets the
  /// compiler check them.
  public typealias Render = @Sendable (_ block: RenderBlock) -> Void

  public let name: String
  public let channelCount: Int
  public let type: UnitType

  /// - Parameters:
  ///   - name: the unit's name in the chain: letters and digits, beginning with a small letter.
  ///   - channels: output channels, 1 to 256.
  ///   - render: fills the output channels of each block.
  public convenience init(_ name: String, channels: Int = 2, render: @escaping Render) {
    self.init(name, channels, ClosureNode(render))
  }

  /// Fills the output channels and plays MIDI: that of the chain's `midi` key, of MIDI ports, of other nodes,
  /// and what the program sends with `LiveRequest.midi`. `midi` has been begun with the block. Otherwise as
  /// `Render`.
  public typealias Play = @Sendable (_ block: RenderBlock, _ midi: inout MIDIInput) -> Void

  /// An instrument.
  ///
  /// - Parameters:
  ///   - name: the unit's name in the chain: letters and digits, beginning with a small letter.
  ///   - channels: output channels, 1 to 256.
  ///   - render: fills the output channels of each block and plays its MIDI.
  public convenience init(_ name: String, channels: Int = 2, render: @escaping Play) {
    let node = PlayedNode(render)
    self.init(
      name, channels,
      UnitType(
        of: node, Self.spec(name, channels, takesMIDI: true), PlayedNode.entry,
        prepare: { node, preparation throws(Failure) in node.prepare(preparation) }))
  }

  private convenience init(_ name: String, _ channels: Int, _ node: ClosureNode) {
    self.init(name, channels, UnitType(of: node, Self.spec(name, channels), ClosureNode.entry))
  }

  private init(_ name: String, _ channels: Int, _ type: UnitType) {
    self.name = name
    channelCount = channels
    self.type = type
  }

  private static func spec(_ name: String, _ channels: Int, takesMIDI: Bool = false) -> UnitSpec {
    UnitSpec(
      name, summary: "Plays sound of the program.", category: "program",
      role: takesMIDI ? .instrument : .effect, inputs: [],
      outputs: [OutputBusSpec("out", width: .exactly(channels))], takesMIDI: takesMIDI)
  }
}

/// Sound that a closure of the program receives on the render thread.
///
/// A chain names it as a unit. It passes its input on, so it can stand anywhere in a chain, and its output
/// may stay unconnected.
public final class SinkNode: ProgramNode {
  public let name: String
  public let type: UnitType

  /// - Parameters:
  ///   - name: the unit's name in the chain: letters and digits, beginning with a small letter.
  ///   - receive: reads the input channels of the block, under the rules of `SourceNode.Render`.
  public convenience init(_ name: String, receive: @escaping SourceNode.Render) {
    self.init(
      name,
      node: ClosureNode { block in
        receive(block)
        block.pass()
      })
  }

  private init(_ name: String, node: ClosureNode) {
    self.name = name
    type = UnitType(
      of: node,
      UnitSpec(
        name, summary: "Hands sound to the program.", category: "program", role: .observer),
      ClosureNode.entry)
  }
}

/// A closure that renders.
final class ClosureNode: NodeObject {
  let use = NodeUse()
  private let render: SourceNode.Render

  init(_ render: @escaping SourceNode.Render) { self.render = render }

  // The compiler cannot check a closure. A guaranteed reference to the object, whose closure never changes,
  // is called without counting references.
  static let entry = UnitEntry(
    render: { state, block in
      Unmanaged<ClosureNode>.fromOpaque(state)._withUnsafeGuaranteedRef {
        $0.render(RenderBlock(at: block))
      }
    },
    reset: { _ in })
}
