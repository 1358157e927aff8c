private import CKernels
import FxAudio

extension DelayLine {
  // MARK: - Realtime

  /// Reads one channel `delay` ago, interpolated by a table. The delay is at least `SincTable.reach`
  /// frames longer than the place in the block. `copy` has room for 15 frames more.
  @_noLocks
  package func readSinc(
    into output: UnsafeMutablePointer<Float>, channel: Int, delay: FractionalDelay,
    table: borrowing SincTable, copy: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    let input = piece(
      channel: channel, frame: 0, delay: delay.frames &+ SincTable.reach,
      frameCount: frameCount &+ Int(FX_SINC_TAPS) &- 1, copy: copy)
    table.render(input, fraction: delay.fraction, into: output, frameCount: frameCount)
  }

  /// The same with a delay of its own for every frame.
  @_noLocks
  package func readSinc(
    into output: UnsafeMutablePointer<Float>, channel: Int,
    delays: UnsafePointer<FractionalDelay>, table: borrowing SincTable,
    copy: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    for frame in 0..<frameCount {
      let delay = delays[frame]
      guard delay.fraction > 0 else {
        output[frame] = sample(channel: channel, frame: frame, delay: delay.frames)
        continue
      }
      let input = piece(
        channel: channel, frame: frame, delay: delay.frames &+ SincTable.reach,
        frameCount: Int(FX_SINC_TAPS), copy: copy)
      output[frame] = table.sample(input, fraction: delay.fraction)
    }
  }
}
