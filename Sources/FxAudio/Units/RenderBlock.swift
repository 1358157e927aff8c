/// A non-owning view of the input and output channels that a unit renders in one block.
///
/// The channels of several buses follow one another in the order of `UnitSpec.inputs`; an
/// unconnected optional bus has no channels. An output may share memory with the input of the same
/// index (never of another), so a unit reads a frame before it writes it.
public struct RenderBlock: BitwiseCopyable {
  public let inputs: UnsafePointer<UnsafePointer<Float>>
  public let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
  public let inputCount: Int
  public let outputCount: Int
  public var frameCount: Int
  /// The absolute frame of the block's first frame on the unit's own timeline. Frame 0 is where the
  /// source's first frame arrives, so after a latency the timeline starts below zero.
  public var frame: Int
  /// The unit's parameters in declared order.
  @usableFromInline package let parameters: UnsafePointer<ParameterSignal>
  /// False when every parameter is the same as in the unit's previous block.
  public var hasNewParameters: Bool
  /// Tempo, metre and beat on the unit's own timeline.
  public var time: MusicalTime
  /// Events for the unit's event inputs; frames count from the block's first frame.
  public var events: EventList
  /// The buffer for the events of the unit's event outputs; nil where none is connected.
  // Not `EventBuffer?`: that has an initial value, for which the compiler calls a function.
  package var givenEvents: Optional<EventBuffer>

  // MARK: - Realtime

  @_noLocks
  package init(
    inputs: UnsafePointer<UnsafePointer<Float>>, inputCount: Int,
    outputs: UnsafePointer<UnsafeMutablePointer<Float>>, outputCount: Int,
    frameCount: Int, frame: Int, parameters: UnsafePointer<ParameterSignal>,
    hasNewParameters: Bool = true
  ) {
    self.inputs = inputs
    self.inputCount = inputCount
    self.outputs = outputs
    self.outputCount = outputCount
    self.frameCount = frameCount
    self.frame = frame
    self.parameters = parameters
    self.hasNewParameters = hasNewParameters
    time = MusicalTime()
    events = EventList(start: nil, byteCount: 0)
    givenEvents = nil
  }

  /// The block that a later stage of the same unit renders: it reads the outputs and writes to them.
  public var again: RenderBlock {
    @_noLocks get {
      var next = RenderBlock(
        inputs: UnsafeRawPointer(outputs).assumingMemoryBound(to: UnsafePointer<Float>.self),
        inputCount: outputCount, outputs: outputs, outputCount: outputCount,
        frameCount: frameCount, frame: frame, parameters: parameters,
        hasNewParameters: hasNewParameters)
      next.time = time
      return next
    }
  }

  /// The memory from which a unit loads its own struct of signals:
  /// `block.parameterStorage.load(as: Parameters.self)`.
  public var parameterStorage: UnsafeRawPointer {
    @_noLocks @inlinable get { UnsafeRawPointer(parameters) }
  }
}
