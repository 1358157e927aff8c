import CLilv
import CRealtime
import FxAudio
import Synchronization

/// One running instance of a plugin as the render thread sees it: a view of what `LV2Instance`
/// owns.
struct LV2Voice {
  /// An audio port and what it is connected to.
  struct AudioPort {
    let port: UInt32
    /// Which of the block's channels; below zero for none.
    let channel: Int
    /// What stands in for the channel: silence, or memory that nobody reads.
    let substitute: UnsafeMutablePointer<Float>
    var connected: UnsafeRawPointer?
  }

  /// The buffer of an atom port.
  struct AtomPort {
    let buffer: UnsafeMutableRawPointer
    /// Bytes, header included.
    let capacity: Int
    let isInput: Bool
    let isSequence: Bool
    /// The type of the buffer of an input, atom:Chunk for an output.
    let type: LV2_URID
  }

  let descriptor: UnsafePointer<LV2_Descriptor>
  let handle: LV2_Handle
  let inputs: UnsafeMutableBufferPointer<AudioPort>
  let outputs: UnsafeMutableBufferPointer<AudioPort>
  let atoms: UnsafeMutableBufferPointer<AtomPort>
  let worker: UnsafeMutablePointer<LV2Worker>?
  /// Where a live instance notes the thread that is in `run`; nil offline.
  let renderThread: UnsafeMutablePointer<Atomic<UInt64>>?
  /// By port index.
  let controlOutputs: UnsafeMutablePointer<Float>

  // MARK: - Realtime

  /// Renders `frameCount` frames of a block from `offset` on.
  @_noLocks
  func render(_ block: RenderBlock, offset: Int, frameCount: Int) {
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
    run(frameCount)
  }

  /// Runs the plugin on what its ports are connected to.
  @_noLocks
  func run(_ frameCount: Int) {
    for index in 0..<atoms.count { clear(atoms[index]) }
    if let renderThread { renderThread.pointee.store(fx_lv2_thread(), ordering: .relaxed) }
    fx_lv2_run(descriptor, handle, UInt32(truncatingIfNeeded: frameCount))
    if let worker { LV2Worker.finishRun(worker) }
    if let renderThread { renderThread.pointee.store(0, ordering: .relaxed) }
    // Every sixth plugin leaves another floating-point mode behind.
    fx_restore_flushing()
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

  /// Empties an atom port's buffer: no events for an input, all of its room for an output.
  @_noLocks
  private func clear(_ port: AtomPort) {
    let size = port.isInput ? (port.isSequence ? 8 : 0) : port.capacity - 8
    port.buffer.storeBytes(of: UInt32(truncatingIfNeeded: size), as: UInt32.self)
    (port.buffer + 4).storeBytes(of: port.type, as: UInt32.self)
    (port.buffer + 8).storeBytes(of: 0, as: UInt64.self)
  }
}
