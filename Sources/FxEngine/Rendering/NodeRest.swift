import CKernels
import FxAudio

/// Decides for which blocks a unit need not render, because its inputs and outputs are silent and stay
/// so: each channel holds zeros of one sign. The bits are those of a unit that renders every block.
///
/// A unit whose inputs and outputs have been silent for a while is asked whether it is at rest. If so
/// it renders one more block, whose zeros are those to repeat, and rests from the next block on, until
/// an input or a parameter changes.
struct NodeRest: BitwiseCopyable {
  /// The zero that each input held last; any other number stands for sound.
  private let zeros: UnsafeMutablePointer<Float>
  private let inputCount: Int
  private let outputCount: Int
  /// Frames for which inputs and outputs have been silent.
  private var quietFrameCount = 0
  /// How many it takes until the unit is asked.
  private var patience = NodeRest.shortestPatience
  /// True when the next block like this one need not be rendered.
  private(set) var isAtRest = false

  /// A unit whose tail is short rests soon.
  private static var shortestPatience: Int { @_noLocks get { 256 } }
  /// One that still holds something is asked less and less often: it may have a long delay line to
  /// look through.
  private static var shortestInterval: Int { @_noLocks get { 8192 } }

  /// - Parameter zeros: Room for a sample an input.
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

  /// Ends a rest, and counts silent frames from 0 again. Returns false.
  @_noLocks @discardableResult
  mutating func wake() -> Bool {
    quietFrameCount = 0
    patience = Self.shortestPatience
    isAtRest = false
    return false
  }

  /// Counts a block with sound that the inputs do not hold.
  @_noLocks
  mutating func hear() {
    for channel in 0..<inputCount { zeros[channel] = 1 }
    wake()
  }

  /// Whether the unit is to be asked before it renders a block of silence.
  var isDue: Bool {
    @_noLocks get { quietFrameCount >= patience }
  }

  /// Takes the unit's answer.
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
