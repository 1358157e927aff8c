import FxAudio
import FxDSP

/// What each channel hears of a reverb: the early part and the lines of its side, every pair of
/// channels with the lines in a polarity of its own.
struct ReverbOutput: ~Copyable {
  /// The level of the early part at 0 dB.
  private static var earlyShare: Float { @_noLocks get { 0.5 } }

  private let scratch = SampleBuffer(count: 2 * ReverbNetwork.stretch)

  static func byteCount() -> Int { SampleBuffer.byteCount(count: 2 * ReverbNetwork.stretch) }

  // MARK: - Realtime

  @_noLocks
  func write(
    _ block: RenderBlock, _ channels: borrowing ReverbChannels,
    _ network: borrowing ReverbNetwork,
    early: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), level: ParameterSignal,
    width: ParameterSignal, from frame: Int, count: Int
  ) {
    let left = scratch.samples
    let right = scratch.samples + ReverbNetwork.stretch
    let factor = level.isConstant ? Self.earlyShare * level.value : 1
    if !level.isConstant {
      for index in 0..<count {
        let factor = Self.earlyShare * level[frame &+ index]
        early.0[index] *= factor
        early.1[index] *= factor
      }
    }
    for index in 0..<channels.rowCount {
      let row = channels.rows[index]
      let output = block.outputs[row.first] + frame
      if case .silent = row.kind {
        output.update(repeating: 0, count: count)
        continue
      }
      // Neighbours of a side in turn for the first pair.
      let pattern = (row.number &+ 1) & 7
      network.sum(
        side: 0, pattern: pattern, early: early.0, level: factor, into: left, frameCount: count)
      network.sum(
        side: 1, pattern: pattern, early: early.1, level: factor, into: right, frameCount: count)
      switch row.kind {
      case .pair:
        cross(left, right, width, from: frame, count: count)
        (block.outputs[row.second] + frame).update(copying: right, count: count)
        output.update(copying: left, count: count)
      case .middle:
        for index in 0..<count { output[index] = 0.707_106_77 * (left[index] + right[index]) }
      case .silent: break
      }
    }
  }

  /// Mixes the sides of a pair as far as it is to be narrower, at constant power.
  @_noLocks
  private func cross(
    _ left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ width: ParameterSignal, from frame: Int, count: Int
  ) {
    if width.isConstant {
      guard width.value != 1 else { return }
      let (own, other) = Self.shares(width.value)
      for index in 0..<count {
        let (l, r) = (left[index], right[index])
        left[index] = own * l + other * r
        right[index] = own * r + other * l
      }
    } else {
      for index in 0..<count {
        let (own, other) = Self.shares(width[frame &+ index])
        let (l, r) = (left[index], right[index])
        left[index] = own * l + other * r
        right[index] = own * r + other * l
      }
    }
  }

  /// How much of its own side and of the other a channel hears.
  @_noLocks @inline(__always)
  private static func shares(_ width: Float) -> (own: Float, other: Float) {
    let power = Math.squareRoot(0.5 + 0.5 * (width * width))
    return ((0.5 + 0.5 * width) / power, (0.5 - 0.5 * width) / power)
  }
}
