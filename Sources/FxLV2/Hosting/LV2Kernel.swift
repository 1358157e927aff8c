import CLilv
import FxAudio

/// An LV2 plugin as the render thread uses it: one voice, or one per channel. All voices share the
/// parameters.
struct LV2Kernel {
  /// A control output that is published.
  struct Reading {
    let port: Int
    /// The published value is the port's value times this factor.
    let factor: Float
  }

  /// The functions that the engine calls.
  static let entry = UnitEntry(
    render: {
      $0.assumingMemoryBound(to: LV2Kernel.self).pointee.render(
        $1.assumingMemoryBound(to: RenderBlock.self).pointee)
    },
    reset: { $0.assumingMemoryBound(to: LV2Kernel.self).pointee.reset() })

  /// A control output that is also an output channel of the block.
  struct ControlSignal {
    let reading: Reading
    let channel: Int
    /// The limits of the signal. NaN becomes `low`.
    let low: Float
    let high: Float

    // MARK: - Realtime

    @_noLocks
    func value(_ port: Float) -> Float {
      let value = port * reading.factor
      return value > low ? (value < high ? value : high) : low
    }
  }

  let voices: UnsafeMutableBufferPointer<LV2Voice>
  /// By port index; control inputs of all voices.
  let controls: UnsafeMutablePointer<Float>
  let parameters: UnsafeMutableBufferPointer<Parameter>
  let readings: UnsafeMutableBufferPointer<Reading>
  let controlSignals: UnsafeMutableBufferPointer<ControlSignal>
  /// The cells of a reading: one per voice where the readings are per channel.
  let board: ReadingBoard
  /// Where the latency is reported, and its port; nil for a plugin without a latency port.
  var latency: (monitor: UnitMonitor, port: Int)?
  /// In frames; longer latencies are clamped to it.
  var longestLatency = Float(0)
  let midiType = URIDMap.shared.map(LV2URI.midiEvent)
  /// nil for a plugin that receives no events.
  let events: UnsafePointer<LV2EventFeed>?
  /// Sends requests for properties; nil for a plugin without properties.
  let properties: LV2PropertyExchange?
  /// Control inputs that follow the musical time.
  let followed: UnsafeMutableBufferPointer<LV2FollowedPort>
  /// True where a run may end at a change of the musical time, for ports that follow it.
  let isCutAtChanges: Bool

  // MARK: - Realtime

  /// The longest block that a plugin processes: some plugins write past their buffers in longer
  /// ones.
  static var maximumFrameCount: Int {
    @_noLocks get { 4096 }
  }

  /// Renders one block, in parts where it is longer than `maximumFrameCount`.
  @_noLocks
  func render(_ block: RenderBlock) {
    var offset = 0
    if let events { events.pointee.begin(block.events, frameCount: block.frameCount) }
    while offset < block.frameCount {
      let left = block.frameCount - offset
      var frameCount = min(left, LV2Kernel.maximumFrameCount)
      if isCutAtChanges {
        frameCount = min(
          frameCount,
          block.time.stretch(at: block.frame + offset).end
            - block.frame - offset)
      }
      // Most blocks have the same parameters as the block before.
      if block.hasNewParameters || isCutAtChanges {
        for index in 0..<parameters.count {
          let parameter = parameters[index]
          controls[parameter.port] = parameter.portValue(block.parameters[index][offset])
        }
      }
      if followed.count > 0, block.time.isKnown {
        let time = block.time.stretch(at: block.frame + offset)
        for index in 0..<followed.count {
          followed[index].follow(block, offset: offset, time, controls)
        }
      }
      if let events {
        events.pointee.advance(
          to: block.frame + offset, offset: offset, frameCount: frameCount,
          isLast: frameCount == left, block.time)
      }
      guard let voice = voices.baseAddress else { return }
      for index in 0..<voices.count {
        voice[index].render(
          block, offset: offset, frameCount: frameCount, events: events,
          properties: index == 0 ? properties : nil)
      }
      if let given = block.givenEvents {
        voice[0].give(to: given, offset: offset, frameCount: frameCount, midiType: midiType)
      }
      for index in 0..<controlSignals.count {
        let signal = controlSignals[index]
        let value = signal.value(voice[0].controlOutputs[signal.reading.port])
        let samples = block.outputs[signal.channel] + offset
        for frame in 0..<frameCount { samples[frame] = value }
      }
      offset += frameCount
    }
    guard block.frameCount > 0 else { return }
    if readings.count > 0 { publish() }
    if let latency { latency.monitor.latency = latestLatency(latency.port) }
  }

  /// The longest latency that a voice reports, in frames; a negative value or NaN counts as 0.
  @_noLocks
  private func latestLatency(_ port: Int) -> Int {
    var latest: Float = 0
    for index in 0..<voices.count {
      let frames = voices[index].controlOutputs[port]
      if frames > latest { latest = frames }
    }
    return Int((latest < longestLatency ? latest : longestLatency) + 0.5)
  }

  /// Does nothing: an LV2 plugin clears its sound only when it is deactivated and activated again,
  /// which may allocate and block. `restart` of its `UnitInstance` does this on the control thread.
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
