/// A non-owning view of what a unit renders: its input and output channels for one block.
///
/// Channels of several buses follow one another in the order of `UnitSpec.inputs`; an optional bus
/// that nothing feeds has no channels. An output may be the same memory as the input of the same
/// index (never of another), so a unit reads a frame before it writes it.
@usableFromInline
package struct RenderBlock: BitwiseCopyable {
  package let inputs: UnsafePointer<UnsafePointer<Float>>
  package let outputs: UnsafePointer<UnsafeMutablePointer<Float>>
  package let inputCount: Int
  package let outputCount: Int
  package var frameCount: Int
  /// The absolute frame of the block's first frame on the unit's own time line: it is 0 where the
  /// first frame of the source arrives, so it starts below zero behind a latency.
  package var frame: Int
  /// The unit's parameters in declared order.
  @usableFromInline package let parameters: UnsafePointer<ParameterSignal>
  /// False when every parameter stands as it did in the unit's block before.
  package var hasNewParameters: Bool
  /// Tempo, metre and beat on the unit's own time line.
  package var time: MusicalTime
  /// What comes to the unit's event inputs, frames counted from the block's first.
  package var events: EventList
  /// Where what it gives by its event outputs is put; nil where nobody hears it.
  // The sugared spelling has an initial value, which the compiler calls a function for.
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

  /// Where a unit loads its own struct of signals from:
  /// `block.parameterStorage.load(as: Parameters.self)`.
  @usableFromInline package var parameterStorage: UnsafeRawPointer {
    @_noLocks @inlinable get { UnsafeRawPointer(parameters) }
  }
}
