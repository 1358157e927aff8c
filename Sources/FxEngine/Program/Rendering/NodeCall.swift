import CKernels
import FxAudio
import Synchronization

/// One unit within a program: its entry points, its channels and its parameters.
struct NodeCall: BitwiseCopyable {
  // Fields that every block reads come first, so that they lie on few cache lines.
  /// The latency of the node's input in frames.
  let arrival: UnsafePointer<Int>
  /// Frames by which its own timeline lags behind its input. The timeline continues without a jump
  /// when a change of the chain makes the input earlier or later.
  let shift: Int
  let memory: UnsafeMutablePointer<NodeMemory.State>
  /// The place that `inputs` and `outputs` point to. A block that no loop cuts is one slice.
  var offset = 0
  var slot = 0
  /// True for a node without events and control signals that never rests: its blocks need less
  /// work.
  let isPlain: Bool
  /// True when a fully bypassed node need not run.
  let restsWhenBypassed: Bool
  /// The instruction set for checks of the output.
  let vectorLevel: Int32
  /// The block that the entry point receives, kept here so that it has an address.
  let block: UnsafeMutablePointer<RenderBlock>
  let state: UnsafeMutableRawPointer
  let outputs: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  let outputCount: Int
  /// The last sample of each output channel.
  let lastSamples: UnsafeMutablePointer<Float>
  let entry: UnitEntry
  /// nil for a node whose unit must render every block.
  let rest: UnsafeMutablePointer<NodeRest>?
  /// nil for a node without event lines.
  let events: UnsafePointer<NodeEvents>?
  let watch: UnsafeMutablePointer<NodeGuard>
  let inputs: UnsafeMutablePointer<UnsafePointer<Float>>
  let inputCount: Int
  let scratch: ParameterScratch
  /// The buffers of the channels; `inputs` and `outputs` point to the current slice in them.
  let inputBuffers: UnsafePointer<BlockBuffer>
  let outputBuffers: UnsafePointer<BlockBuffer>
  /// Counts the units taken out.
  let faults: UnsafeMutablePointer<Atomic<Int>>

  // MARK: - Realtime

  /// The fade when a unit is taken out or put back, in frames.
  private static var fadeFrameCount: Int {
    @_noLocks get { 64 }
  }

  /// The frame of the node's own timeline at a frame of the program's.
  @_noLocks
  func ownFrame(_ frame: Int) -> Int { frame - arrival.pointee - shift }

  @_noLocks
  mutating func render(_ place: BlockPlace) {
    guard isPlain else { return renderWatchfully(place) }
    guard prepare(place, isPlain: true) else { return }
    run(place, isSilent: false, isPlain: true)
  }

  @_noLocks @inline(never)
  private mutating func renderWatchfully(_ place: BlockPlace) {
    guard prepare(place) else { return }
    run(place, isSilent: hearsSilence(place.frameCount))
  }

  /// Prepares channels, parameters and events for a block. False for a unit that must not run: its
  /// outputs are already written, or nothing reads them.
  @_noLocks @inline(__always)
  mutating func prepare(_ place: BlockPlace, isPlain: Bool = false) -> Bool {
    let events = isPlain ? nil : events
    let (programFrame, frameCount) = (place.frame, place.frameCount)
    let frame = ownFrame(programFrame)
    if let events { events.pointee.gather(from: programFrame, frameCount: frameCount) }
    if memory.pointee.bank.isDue(from: frame, frameCount: frameCount) {
      memory.pointee.bank.prepare(from: frame, frameCount: frameCount, in: scratch)
      memory.pointee.hasNewParameters = true
    }
    if place.offset != offset || place.slot != slot { move(to: place) }
    if !isPlain, memory.pointee.modulation != nil { modulate(frameCount) }
    if !isPlain, restsWhenBypassed {
      let bypass = memory.pointee.signals[memory.pointee.wetSlot + 1]
      if bypass.isConstant, bypass.value == 1 { return false }
    }
    if isOut {
      silence(frameCount)
      return false
    }
    block.pointee.frameCount = frameCount
    block.pointee.frame = frame
    if let events {
      block.pointee.events = events.pointee.gathered.list
      block.pointee.givenEvents = events.pointee.given
    }
    block.pointee.hasNewParameters = memory.pointee.hasNewParameters
    if memory.pointee.hasNewParameters { memory.pointee.hasNewParameters = false }
    return true
  }

  /// True while the unit is taken out.
  var isOut: Bool {
    @_noLocks get { memory.pointee.wasOut && watch.pointee.isOut }
  }

  /// Renders a block after `prepare`.
  @_noLocks @inline(__always)
  mutating func run(_ place: BlockPlace, isSilent: Bool, isPlain: Bool = false) {
    let events = isPlain ? nil : events
    let frameCount = place.frameCount
    if isSilent && isSpared(frameCount) { return }
    let isFinite = renderUnit(frameCount)
    if let events { events.pointee.scatter(from: place.frame) }
    guard isFinite else {
      return takeOut(frame: ownFrame(place.frame), frameCount: frameCount)
    }
    if memory.pointee.wasOut { fadeIn(frameCount) }
    if isSilent {
      rest?.pointee.look(
        at: UnsafePointer(outputs), after: UnsafePointer(lastSamples), frameCount: frameCount)
    }
    fx_copy_last_samples(outputs, outputCount, frameCount, lastSamples)
  }

  /// Runs the unit for its block. False when one of its output samples is not finite.
  @_noLocks @inline(__always)
  private func renderUnit(_ frameCount: Int) -> Bool {
    let (state, block, entry) = (state, UnsafeRawPointer(block), entry)
    // The checker cannot follow this call: it goes to a unit's `render`, which is checked where it
    // is written.
    _unsafePerformance { entry.render(state, block) }
    return fx_is_finite(vectorLevel, outputs, outputCount, frameCount) != 0
  }

  /// Stores the unit's filters for the prepared block: see `UnitEntry.join`.
  @_noLocks
  func join(_ place: UnsafeMutableRawPointer) -> Bool {
    guard !memory.pointee.wasOut else { return false }
    let (state, block, entry) = (state, UnsafeRawPointer(block), entry)
    var joins = false
    // As in `run`: checked where the unit's `join` is written.
    _unsafePerformance { joins = entry.join?(state, block, place) ?? false }
    return joins
  }

  /// Checks the outputs of a block with sound that was rendered joined with other units.
  @_noLocks
  mutating func endJoined(_ place: BlockPlace) {
    guard fx_is_finite(vectorLevel, outputs, outputCount, place.frameCount) != 0 else {
      return takeOut(frame: ownFrame(place.frame), frameCount: place.frameCount)
    }
    fx_copy_last_samples(outputs, outputCount, place.frameCount, lastSamples)
  }

  /// Moves the parameters that control signals move.
  @_noLocks @inline(never)
  private mutating func modulate(_ frameCount: Int) {
    memory.pointee.modulation?.apply(
      to: memory.pointee.bank, inputs, frameCount: frameCount, in: scratch)
    memory.pointee.hasNewParameters = true
  }

  /// True when the unit's inputs are silent and no parameter changes. Call it before the unit
  /// renders, since an output may share the memory of an input.
  @_noLocks
  func hearsSilence(_ frameCount: Int) -> Bool {
    guard let rest else { return false }
    if block.pointee.hasNewParameters || memory.pointee.wasOut { return rest.pointee.wake() }
    return rest.pointee.isSilent(UnsafePointer(inputs), frameCount: frameCount)
  }

  /// Writes the outputs of a unit at rest for a block with silent inputs. False if the unit must
  /// render the block.
  @_noLocks
  private func isSpared(_ frameCount: Int) -> Bool {
    guard let rest else { return false }
    let (state, block, entry) = (state, UnsafeRawPointer(block), entry)
    if rest.pointee.isAtRest {
      // As in `render`: checked where the unit's `rest` is written.
      _unsafePerformance { entry.rest?(state, block) }
      for channel in 0..<outputCount {
        outputs[channel].update(repeating: lastSamples[channel], count: frameCount)
      }
      return true
    }
    if rest.pointee.isDue {
      var isAtRest = false
      // As above, for the unit's `isAtRest`.
      _unsafePerformance { isAtRest = entry.isAtRest?(state, block) ?? false }
      rest.pointee.take(isAtRest: isAtRest)
    }
    return false
  }

  /// Moves the channel pointers to another slice, or another block's place.
  @_noLocks
  private mutating func move(to place: BlockPlace) {
    for channel in 0..<inputCount {
      inputs[channel] = UnsafePointer(inputBuffers[channel].at(place))
    }
    for channel in 0..<outputCount { outputs[channel] = outputBuffers[channel].at(place) }
    (offset, slot) = (place.offset, place.slot)
  }

  /// Fades the unit's output to silence. The unit does not run until it has been restarted.
  @_noLocks
  private mutating func takeOut(frame: Int, frameCount: Int) {
    var isInfinite: Int32 = 0
    let first = fx_first_not_finite(outputs, outputCount, frameCount, &isInfinite)
    var wasFed = false
    for channel in 0..<inputCount where !isOutput(inputs[channel]) {
      for index in 0..<frameCount where !inputs[channel][index].isFinite { wasFed = true }
    }
    for channel in 0..<outputCount {
      // Fades from the last block's last sample to silence; no fade if that sample was beyond ±1.
      let last = lastSamples[channel]
      let start = last > 1 || last < -1 ? 0 : last
      let length = min(NodeCall.fadeFrameCount, frameCount)
      for index in 0..<frameCount {
        let left = length - 1 - index
        outputs[channel][index] = left > 0 ? start * (Float(left) / Float(length)) : 0
      }
      lastSamples[channel] = 0
    }
    memory.pointee.wasOut = true
    watch.pointee.trip(frame: frame + first, isInfinite: isInfinite != 0, wasFed: wasFed)
    faults.pointee.add(1, ordering: .releasing)
  }

  @_noLocks
  private func isOutput(_ input: UnsafePointer<Float>) -> Bool {
    for channel in 0..<outputCount where UnsafePointer(outputs[channel]) == input { return true }
    return false
  }

  @_noLocks
  private mutating func silence(_ frameCount: Int) {
    for channel in 0..<outputCount {
      for index in 0..<frameCount { outputs[channel][index] = 0 }
    }
  }

  @_noLocks
  private mutating func fadeIn(_ frameCount: Int) {
    memory.pointee.wasOut = false
    let length = min(NodeCall.fadeFrameCount, frameCount)
    for channel in 0..<outputCount {
      for index in 0..<length {
        outputs[channel][index] *= Float(index + 1) / Float(length + 1)
      }
    }
  }
}
