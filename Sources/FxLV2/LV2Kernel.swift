import CLilv
import FxAudio

/// A unit that is an LV2 plugin, as the render thread sees it: one voice, or one a channel that
/// share their parameters.
struct LV2Kernel {
  /// How a parameter reaches its control port.
  struct Parameter {
    let port: Int
    /// The port's value is the chain's times this.
    let scale: Double
    let low: Float
    let high: Float
    let standard: Float
    let isWhole: Bool

    // MARK: - Realtime

    /// The port's value for a parameter's: within its range, whatever comes.
    @_noLocks
    func portValue(_ value: Float) -> Float {
      var scaled = Float(Double(value) * scale)
      if scaled != scaled { scaled = standard }
      if isWhole, scaled > -1e9, scaled < 1e9 {
        scaled = Float(Int(scaled + (scaled < 0 ? -0.5 : 0.5)))
      }
      return scaled < low ? low : (scaled > high ? high : scaled)
    }
  }

  /// A control output that is published.
  struct Reading {
    let port: Int
    /// The published value is the port's times this.
    let factor: Float
  }

  /// What the engine calls.
  static let entry = UnitEntry(
    render: {
      $0.assumingMemoryBound(to: LV2Kernel.self).pointee.render(RenderBlock(at: $1))
    },
    reset: { $0.assumingMemoryBound(to: LV2Kernel.self).pointee.reset() })

  let voices: UnsafeMutableBufferPointer<LV2Voice>
  /// By port index; control inputs of all voices.
  let controls: UnsafeMutablePointer<Float>
  let parameters: UnsafeMutableBufferPointer<Parameter>
  let readings: UnsafeMutableBufferPointer<Reading>
  /// The cells of one reading: one a voice where the readings are per channel.
  let board: ReadingBoard

  // MARK: - Realtime

  /// Renders one block, in parts where it is longer than plugins bear.
  @_noLocks
  func render(_ block: RenderBlock) {
    var offset = 0
    while offset < block.frameCount {
      let left = block.frameCount - offset
      let frameCount = left < 4096 ? left : 4096
      for index in 0..<parameters.count {
        let parameter = parameters[index]
        controls[parameter.port] = parameter.portValue(block.parameters[index][offset])
      }
      for index in 0..<voices.count {
        voices[index].render(block, offset: offset, frameCount: frameCount)
      }
      offset += frameCount
    }
    if block.frameCount > 0 { publish() }
  }

  /// Does nothing, because what an LV2 plugin has for this may allocate and wait.
  ///
  /// It forgets its sound only when it is deactivated and activated again. Where silence is needed a
  /// new instance is made.
  @_noLocks
  func reset() {}

  @_noLocks
  private func publish() {
    var cell = 0
    for index in 0..<readings.count {
      let reading = readings[index]
      for voice in 0..<voices.count where cell < board.cellCount {
        board[cell] = voices[voice].controlOutputs[reading.port] * reading.factor
        cell += 1
      }
    }
  }
}
