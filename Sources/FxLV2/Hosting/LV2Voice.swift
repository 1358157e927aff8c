import CLilv
import CRealtime
import FxAudio
import Synchronization

/// One running instance of a plugin as the render thread uses it: a view of memory that
/// `LV2Instance` owns.
struct LV2Voice {
  /// An audio or CV port and what it is connected to.
  struct AudioPort {
    let port: UInt32
    /// The block's channel; negative for none.
    let channel: Int
    /// Connected where there is no channel: silence for an input, unread memory for an output.
    let substitute: UnsafeMutablePointer<Float>
    var connected: UnsafeRawPointer?
  }

  let place: LV2Place.Pointer
  let descriptor: UnsafePointer<LV2_Descriptor>
  let handle: LV2_Handle
  let inputs: UnsafeMutableBufferPointer<AudioPort>
  let outputs: UnsafeMutableBufferPointer<AudioPort>
  /// CV inputs, which hold a parameter's value while no signal feeds them.
  let controlled: UnsafeMutableBufferPointer<LV2ControlledPort>
  let eventPorts: UnsafeMutableBufferPointer<LV2EventPort>
  let worker: UnsafeMutablePointer<LV2Worker>?
  /// Where a live instance records the thread that is in `run`; nil offline.
  let renderThread: UnsafeMutablePointer<Atomic<UInt64>>?
  /// By port index.
  let controlOutputs: UnsafeMutablePointer<Float>

  // MARK: - Realtime

  /// Renders `frameCount` frames of a block from `offset` on.
  @_noLocks
  func render(
    _ block: RenderBlock, offset: Int, frameCount: Int, events: UnsafePointer<LV2EventFeed>?,
    properties: LV2PropertyExchange?
  ) {
    for index in 0..<controlled.count {
      controlled[index].fill(block, offset: offset, frameCount: frameCount)
    }
    for index in 0..<inputs.count {
      let channel = inputs[index].channel
      let isFed = channel >= 0 && channel < block.inputCount
      let samples =
        isFed
        ? UnsafeMutablePointer(mutating: block.inputs[channel] + offset)
        : inputs[index].substitute
      connect(inputs, index, samples)
    }
    for index in 0..<outputs.count {
      let channel = outputs[index].channel
      let isHeard = channel >= 0 && channel < block.outputCount
      connect(
        outputs, index, isHeard ? block.outputs[channel] + offset : outputs[index].substitute)
    }
    run(frameCount, events: events, properties: properties)
  }

  /// Runs the plugin with its ports as they are connected.
  @_noLocks
  func run(
    _ frameCount: Int, events: UnsafePointer<LV2EventFeed>? = nil,
    properties: LV2PropertyExchange? = nil
  ) {
    for index in 0..<eventPorts.count { eventPorts[index].clear() }
    if let properties { properties.ask(in: eventPorts) }
    for index in 0..<eventPorts.count {
      if let events { events.pointee.fill(eventPorts[index]) }
    }
    if let renderThread { renderThread.pointee.store(fx_lv2_thread(), ordering: .relaxed) }
    let before = fx_plugin_enters(place)
    fx_lv2_run(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
    if let worker { LV2Worker.finishRun(worker) }
    fx_plugin_leaves(before)
    if let properties { properties.look(in: eventPorts) }
    if let renderThread { renderThread.pointee.store(0, ordering: .relaxed) }
    // One plugin in six changes the floating-point mode.
    fx_restore_flushing()
  }

  /// Passes on the events that the run has written to the output ports.
  @_noLocks
  func give(to given: EventBuffer, offset: Int, frameCount: Int, midiType: UInt32) {
    for index in 0..<eventPorts.count {
      let port = eventPorts[index]
      guard !port.isInput, port.eventIndex >= 0 else { continue }
      port.give(to: given, offset: offset, frameCount: frameCount, midiType: midiType)
    }
  }

  @_noLocks
  private func connect(
    _ ports: UnsafeMutableBufferPointer<AudioPort>, _ index: Int,
    _ samples: UnsafeMutablePointer<Float>
  ) {
    guard ports[index].connected != UnsafeRawPointer(samples) else { return }
    ports[index].connected = UnsafeRawPointer(samples)
    fx_lv2_connect(descriptor, handle, ports[index].port, samples)
  }
}
