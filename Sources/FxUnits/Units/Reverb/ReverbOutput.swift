import FxAudio

/// The outputs of a reverb: each channel has the early part and the lines of its side, and every
/// pair of channels has its own polarities of the lines.
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
      switch row.kind {
      case .pair:
        let right = block.outputs[row.second] + frame
        hear(network, row, early, level: factor, into: (output, right), count: count)
        if !width.isConstant || width.value != 1 {
          ReverbWidth.cross(output, right, width, from: frame, count: count)
        }
      case .middle:
        let (left, right) = (scratch.samples, scratch.samples + ReverbNetwork.stretch)
        hear(network, row, early, level: factor, into: (left, right), count: count)
        for index in 0..<count { output[index] = 0.707_106_77 * (left[index] + right[index]) }
      case .silent: output.update(repeating: 0, count: count)
      }
    }
  }

  /// Writes both sides, with the polarities of the row's number.
  @_noLocks @inline(__always)
  private func hear(
    _ network: borrowing ReverbNetwork, _ row: ReverbChannels.Row,
    _ early: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), level: Float,
    into sides: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>), count: Int
  ) {
    let pattern = (row.number &+ 1) & 7
    network.sum(
      side: 0, pattern: pattern, early: early.0, level: level, into: sides.0, frameCount: count)
    network.sum(
      side: 1, pattern: pattern, early: early.1, level: level, into: sides.1, frameCount: count)
  }
}
