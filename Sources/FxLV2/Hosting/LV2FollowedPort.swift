import FxAudio

/// A control input that follows the musical time until the chain changes its start value.
struct LV2FollowedPort: BitwiseCopyable {
  let role: LV2TimeRole
  let port: Int
  /// The index of the block's parameter, and its start value.
  let slot: Int
  let start: Float
  let low: Float
  let high: Float

  // MARK: - Realtime

  @_noLocks
  func follow(
    _ block: RenderBlock, offset: Int, _ time: MusicalStretch,
    _ controls: UnsafeMutablePointer<Float>
  ) {
    guard block.parameters[slot][offset] == start else { return }
    let value = Float(role.value(time, at: block.frame + offset))
    controls[port] = value < low ? low : (value > high ? high : value)
  }
}
