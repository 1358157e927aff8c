import FxAudio

/// An optional limiter inside another unit.
///
/// Allocated on the control thread, used on the render thread.
struct InnerLimiter: ~Copyable {
  private let channelCount: Int
  /// One or none.
  private let limiters: UnsafeMutablePointer<Limiter>
  private let limiterCount: Int
  private let signals: UnsafeMutablePointer<Limiter.Parameters>
  private let readings = ReadingBoard(cellCount: 1)

  /// - Parameter ceiling: In decibels.
  init(_ preparation: Preparation, isUsed: Bool, ceiling: Double) {
    channelCount = preparation.channelCount
    limiterCount = isUsed ? 1 : 0
    limiters = .allocate(capacity: 1)
    signals = .allocate(capacity: 1)
    signals.initialize(to: Self.signals(ceiling: ceiling))
    guard isUsed else { return }
    var inner = Self.inner(preparation)
    inner.readings = readings
    limiters.initialize(to: Limiter(inner))
  }

  /// The limiter's preparation: its own options and readings, with the unit's channel counts.
  private static func inner(_ preparation: Preparation) -> Preparation {
    Preparation(
      sampleRate: preparation.sampleRate, maximumFrameCount: preparation.maximumFrameCount,
      inputWidths: preparation.inputWidths, outputWidths: preparation.outputWidths)
  }

  private static func signals(ceiling: Double) -> Limiter.Parameters {
    Limiter.Parameters(
      ceiling: ParameterSignal(constant: Math.amplitude(decibels: Float(ceiling))),
      release: ParameterSignal(constant: 0.08), gain: ParameterSignal(constant: 1))
  }

  static func traits(_ preparation: Preparation, isUsed: Bool) -> UnitTraits {
    var traits = isUsed ? Limiter.traits(inner(preparation)) : UnitTraits()
    traits.memory += MemoryLayout<Limiter>.stride + MemoryLayout<Limiter.Parameters>.stride
    return traits
  }

  deinit {
    limiters.deinitialize(count: limiterCount)
    limiters.deallocate()
    signals.deallocate()
    readings.destroy()
  }

  // MARK: - Realtime

  /// Limits the outputs of a block, in place.
  @_noLocks
  func render(_ block: RenderBlock) {
    guard limiterCount > 0 else { return }
    let outputs = UnsafeRawPointer(block.outputs)
    let inner = RenderBlock(
      inputs: outputs.assumingMemoryBound(to: UnsafePointer<Float>.self),
      inputCount: channelCount, outputs: block.outputs, outputCount: channelCount,
      frameCount: block.frameCount, frame: block.frame,
      parameters: UnsafeRawPointer(signals).assumingMemoryBound(to: ParameterSignal.self),
      hasNewParameters: false)
    limiters.pointee.render(inner)
  }

  @_noLocks
  func reset() {
    if limiterCount > 0 { limiters.pointee.reset() }
  }
}
