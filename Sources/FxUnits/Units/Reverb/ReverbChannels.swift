import FxAudio

/// The input channels of a reverb's two sides, and the outputs of these sides.
///
/// Named channels on the left feed the left side, those on the right the right side. Centre
/// channels feed both with 3 dB less. The LFE feeds neither and has no reverberation in the output.
/// Of channels without names, the odd ones are left and the even ones right.
struct ReverbChannels: ~Copyable {
  /// Outputs that are rendered together.
  struct Row: BitwiseCopyable {
    enum Kind: BitwiseCopyable { case pair, middle, silent }

    let kind: Kind
    /// Determines the polarities of the lines.
    let number: Int
    let first: Int
    /// The right channel of a pair.
    let second: Int
  }

  private let channelCount: Int
  /// By side and channel: the share of the channel in the side; 0 for none.
  private let shares: UnsafeMutablePointer<Float>
  private let powers: (left: Float, right: Float)
  let rows: UnsafeMutablePointer<Row>
  let rowCount: Int

  init(_ preparation: Preparation) {
    let count = preparation.channelCount
    let layout = preparation.layout
    let hasNames =
      preparation.revision > 1 && count > 2 && layout.channelCount == count && layout.isNamed
    let names = hasNames ? layout.channels : []
    channelCount = count
    shares = .allocate(capacity: max(1, 2 * count))
    var power: (left: Float, right: Float) = (0, 0)
    for channel in 0..<count {
      var (left, right): (Float, Float) =
        count == 1 ? (1, 1) : channel % 2 == 0 ? (1, 0) : (0, 1)
      if hasNames {
        (left, right) =
          switch names[channel].side {
          case .left: (1, 0)
          case .right: (0, 1)
          case .centre: (0.707_106_77, 0.707_106_77)
          case nil: (0, 0)
          }
      }
      (shares + channel).initialize(to: left)
      (shares + (count + channel)).initialize(to: right)
      power = (power.left + left * left, power.right + right * right)
    }
    powers = power
    let made = hasNames ? ReverbChannels.rows(names) : ReverbChannels.rows(channelCount: count)
    rowCount = made.count
    rows = .allocate(capacity: max(1, count))
    for (index, row) in made.enumerated() { (rows + index).initialize(to: row) }
  }

  static func byteCount(channelCount: Int) -> Int {
    channelCount * (2 * MemoryLayout<Float>.stride + MemoryLayout<Row>.stride)
  }

  private static func rows(channelCount: Int) -> [Row] {
    stride(from: 0, to: channelCount, by: 2).map { channel in
      Row(
        kind: channel + 1 < channelCount ? .pair : .middle, number: channel / 2, first: channel,
        second: channel + 1)
    }
  }

  private static func rows(_ names: [ChannelName]) -> [Row] {
    var rows: [Row] = []
    for (channel, name) in names.enumerated() where name.side != .right {
      let partner = name.partner.flatMap { names.firstIndex(of: $0) }
      let kind: Row.Kind = name.side == nil ? .silent : partner == nil ? .middle : .pair
      rows.append(Row(kind: kind, number: rows.count, first: channel, second: partner ?? 0))
    }
    for (channel, name) in names.enumerated() where name.side == .right {
      guard !rows.contains(where: { $0.kind == .pair && $0.second == channel }) else { continue }
      rows.append(Row(kind: .middle, number: rows.count, first: channel, second: 0))
    }
    return rows
  }

  deinit {
    shares.deallocate()
    rows.deallocate()
  }

  // MARK: - Realtime

  /// Sums the input channels of a side, scaled for the network.
  @_noLocks
  func gather(
    _ block: RenderBlock, side: Int, gain: Float, into sum: UnsafeMutablePointer<Float>,
    from frame: Int, count: Int
  ) {
    let power = side == 0 ? powers.left : powers.right
    var isFirst = true
    if power > 0 {
      let scale = gain / Math.squareRoot(power)
      for channel in 0..<channelCount {
        let share = shares[side &* channelCount &+ channel]
        guard share > 0 else { continue }
        let factor = scale * share
        let input = block.inputs[channel] + frame
        if isFirst {
          for index in 0..<count { sum[index] = factor * input[index].finiteSample }
        } else {
          for index in 0..<count { sum[index] += factor * input[index].finiteSample }
        }
        isFirst = false
      }
    }
    if isFirst { sum.update(repeating: 0, count: count) }
  }
}

extension ChannelName {
  /// The matching right channel of a left channel.
  fileprivate var partner: ChannelName? {
    switch self {
    case .frontLeft: .frontRight
    case .backLeft: .backRight
    case .frontLeftOfCentre: .frontRightOfCentre
    case .sideLeft: .sideRight
    case .topFrontLeft: .topFrontRight
    case .topBackLeft: .topBackRight
    default: nil
    }
  }
}
