private import CKernels
import FxAudio

extension DelayLine {
  // MARK: - Realtime

  /// Reads one channel at a delay, interpolated by a table. A whole delay is exact. A delay with a
  /// fraction must be at least `SincTable.reach` frames longer than the frame's index in the block.
  /// `copy` has room for `frameCount` + 15 frames.
  @_noLocks
  func readSinc(
    into output: UnsafeMutablePointer<Float>, channel: Int, delay: FractionalDelay,
    table: borrowing SincTable, copy: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    guard delay.fraction > 0 else {
      return read(into: output, channel: channel, delay: delay.frames, frameCount: frameCount)
    }
    let input = piece(
      channel: channel, delay: delay.frames &+ SincTable.reach,
      frameCount: frameCount &+ Int(FX_SINC_TAPS) &- 1, copy: copy)
    table.render(input, fraction: delay.fraction, into: output, frameCount: frameCount)
  }

  /// The same with a separate delay for every frame, and without a copy.
  @_noLocks
  func readSinc(
    into output: UnsafeMutablePointer<Float>, channel: Int,
    delays: UnsafePointer<FractionalDelay>, table: borrowing SincTable, frameCount: Int
  ) {
    table.render(
      ring(channel), capacity: capacity, position: position, delays: delays, into: output,
      frameCount: frameCount)
  }

  /// The same; with `isStill` the first delay applies to every frame. `copy` has room for
  /// `frameCount` + 15 frames.
  @_noLocks
  func readSinc(
    into output: UnsafeMutablePointer<Float>, channel: Int,
    delays: UnsafePointer<FractionalDelay>, isStill: Bool, table: borrowing SincTable,
    copy: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    if isStill {
      readSinc(
        into: output, channel: channel, delay: delays[0], table: table, copy: copy,
        frameCount: frameCount)
    } else {
      readSinc(
        into: output, channel: channel, delays: delays, table: table, frameCount: frameCount)
    }
  }
}
