import CKernels
import FxAudio

/// Decides which blocks a unit need not render because its inputs and outputs are silent and stay
/// so: each channel holds zeros of one sign. The output is bit-identical to rendering every block.
///
/// When a unit's inputs and outputs have been silent for a while, it is asked whether it is at
/// rest. If so, it renders one more block, whose zeros are the ones to repeat. It rests from the
/// next block on, until an input or a parameter changes.
struct NodeRest: BitwiseCopyable {
  /// The last zero of each input; any other number means sound.
  private let zeros: UnsafeMutablePointer<Float>
  private let inputCount: Int
  private let outputCount: Int
  /// Frames with silent inputs and outputs so far.
  private var quietFrameCount = 0
  /// Silent frames before the unit is asked.
  private var patience = NodeRest.shortestPatience
  /// True when the next block like this one need not be rendered.
  private(set) var isAtRest = false

  /// A unit with a short tail rests soon.
  private static var shortestPatience: Int { @_noLocks get { 256 } }
  /// A unit that is not at rest yet is asked less and less often: it may have a long delay line to
  /// check.
  private static var shortestInterval: Int { @_noLocks get { 8192 } }

  /// - Parameter zeros: Memory for one sample per input.
  init(zeros: UnsafeMutablePointer<Float>, inputCount: Int, outputCount: Int) {
    self.zeros = zeros
    self.inputCount = inputCount
    self.outputCount = outputCount
  }

  // MARK: - Realtime

  /// True when each input is silent, with the same zero as in the block before.
  @_noLocks
  mutating func isSilent(
    _ inputs: UnsafePointer<UnsafePointer<Float>>, frameCount: Int
  ) -> Bool {
    var isSame = true
    for channel in 0..<inputCount {
      let sample = inputs[channel][0]
      if sample.bitPattern != zeros[channel].bitPattern { isSame = false }
      zeros[channel] = sample
      if sample != 0 { return wake() }
    }
    guard isSame else { return wake() }
    for channel in 0..<inputCount {
      guard fx_is_silent(inputs[channel], frameCount) != 0 else {
        zeros[channel] = 1
        return wake()
      }
    }
    return true
  }

  /// Ends a rest and resets the count of silent frames. Returns false.
  @_noLocks @discardableResult
  mutating func wake() -> Bool {
    quietFrameCount = 0
    patience = Self.shortestPatience
    isAtRest = false
    return false
  }

  /// Records a block with sound whose input was not written to the input buffers.
  @_noLocks
  mutating func hear() {
    for channel in 0..<inputCount { zeros[channel] = 1 }
    wake()
  }

  /// True when the unit must be asked before it renders a block of silence.
  var isDue: Bool {
    @_noLocks get { quietFrameCount >= patience }
  }

  /// Stores the unit's answer.
  @_noLocks
  mutating func take(isAtRest: Bool) {
    self.isAtRest = isAtRest
    if !isAtRest { patience = quietFrameCount + max(Self.shortestInterval, quietFrameCount / 2) }
  }

  /// Counts the frames of a block with silent inputs, if its outputs are silent too.
  ///
  /// - Parameter lastSamples: The last sample of each output before the block.
  @_noLocks
  mutating func look(
    at outputs: UnsafePointer<UnsafeMutablePointer<Float>>,
    after lastSamples: UnsafePointer<Float>, frameCount: Int
  ) {
    for channel in 0..<outputCount {
      let output = outputs[channel]
      guard output[0].bitPattern == lastSamples[channel].bitPattern,
        fx_is_silent(output, frameCount) != 0
      else {
        wake()
        return
      }
    }
    quietFrameCount += frameCount
  }
}
