import FxAudio
import FxDSP

/// Which channels a reverb hears on its two sides, and what each of them is given.
///
/// Where channels have names, those of the left go to the left side and those of the right to the
/// right, what is in the middle goes to both with 3 dB less, and the LFE to neither; no room is added
/// to it. Where they have none, the odd ones are left and the even ones right.
struct ReverbChannels: ~Copyable {
  /// Outputs that are made together.
  struct Row: BitwiseCopyable {
    enum Kind: BitwiseCopyable { case pair, middle, silent }

    let kind: Kind
    /// Says in which polarity the lines are heard.
    let number: Int
    let first: Int
    /// The right channel of a pair.
    let second: Int
  }

  private let channelCount: Int
  /// By side and channel: the share that the side hears; 0 for none.
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

  /// Sums what a side hears of the inputs, scaled for the network.
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
  /// The same place on the right, of a channel on the left.
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
