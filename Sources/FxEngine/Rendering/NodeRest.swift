import CKernels
import FxAudio

/// Spares a unit the blocks in which it would hear silence and make silence: digital silence, each
/// channel zeros of one sign, so that what is heard is the same to the bit.
///
/// A unit that has made nothing but one silence for a while is asked whether it is at rest. It makes
/// one more block, in which nothing in it moves, and rests from the next one on, until its input or
/// a parameter changes.
struct NodeRest: BitwiseCopyable {
  /// The zero that each input held last; what is no zero stands for sound.
  private let zeros: UnsafeMutablePointer<Float>
  private let inputCount: Int
  private let outputCount: Int
  /// Frames for which input and output have been one silence.
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

  /// True when each input is one silence and the same as in the block before.
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

  /// Begins anew with the block at hand.
  @_noLocks @discardableResult
  mutating func wake() -> Bool {
    quietFrameCount = 0
    patience = Self.shortestPatience
    isAtRest = false
    return false
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

  /// Looks at what became of a block of silence.
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
