import FxAudio

/// Gains, offsets and channel mixes that are constant from start to end.
struct LevelCauses {
  let pair: AlignedPair
  let sums: BlockSums.Sums

  private var channels: Range<Int> { 0..<pair.channelCount }

  var candidates: [Candidate] {
    var found = [offset, gain, typicalGain, gainAndOffset, balance].compactMap { $0 }
    if pair.channelCount == 2 { found += [swap, width, mono, mix].compactMap { $0 } }
    return found
  }

  private func candidate(
    _ kind: Comparison.Cause.Kind, _ words: String, rank: Int, energy: Double, _ model: LevelModel
  ) -> Candidate {
    Candidate(
      kind: kind, words: words, rank: rank, energy: max(energy, 0),
      apply: { model.apply(to: &$0) })
  }

  // MARK: - Each channel for itself

  private var offset: Candidate? {
    let means = sums.difference.map { $0 / max(sums.count, 1) }
    let highest = means.reduce(0) { max($0, abs($1)) }
    guard highest > 1e-9 else { return nil }
    // Channels with almost no offset count as unchanged.
    let moved = channels.filter { abs(means[$0]) > 0.02 * highest }
    var model = LevelModel(gains: channels.map { _ in 1 })
    for channel in moved { model.offsets[channel] = means[channel] }
    let energy = channels.reduce(0.0) { energy, channel in
      let offset = model.offsets[channel]
      let squares =
        sums.actualSquares[channel] + sums.expectedSquares[channel] - 2 * sums.products[channel]
      return energy + squares - 2 * offset * sums.difference[channel] + sums.count * offset * offset
    }
    let names = pair.names(of: moved)
    let size = means[moved.first ?? 0]
    let words =
      "a \(size < 0 ? "negative" : "positive") DC offset of \(Figures.level(abs(size))) "
      + "\(names.isEmpty ? "" : "on \(names) ")was added"
    return candidate(.offset, words, rank: 1, energy: energy, model)
  }

  private func energy(_ channel: Int, gain: Double) -> Double {
    sums.actualSquares[channel] - 2 * gain * sums.products[channel]
      + gain * gain * sums.expectedSquares[channel]
  }

  private var gain: Candidate? {
    let power = sums.expectedSquares.reduce(0, +)
    guard power > 0 else { return nil }
    let gain = sums.products.reduce(0, +) / power
    guard abs(gain - 1) > 1e-7, gain != 0 else { return nil }
    let energy = channels.reduce(0.0) { $0 + self.energy($1, gain: gain) }
    let model = LevelModel(gains: channels.map { _ in gain })
    guard gain < 0 else {
      return candidate(.gain, Figures.louder(gain), rank: 1, energy: energy, model)
    }
    let also = abs(abs(gain) - 1) < 1e-5 ? "" : " and it is \(Figures.louder(gain))"
    return candidate(
      .polarity, "its polarity is inverted\(also)", rank: 1, energy: energy, model)
  }

  /// One gain and an offset of each channel, fitted together: each of them alone is not exact when
  /// the other one is there.
  private var gainAndOffset: Candidate? {
    let count = max(sums.count, 1)
    var (product, power) = (0.0, 0.0)
    for channel in channels {
      product += sums.products[channel] - sums.expected[channel] * sums.actual[channel] / count
      power +=
        sums.expectedSquares[channel] - sums.expected[channel] * sums.expected[channel] / count
    }
    guard power > 0 else { return nil }
    let gain = product / power
    guard gain > 0, abs(gain - 1) > 1e-6 else { return nil }
    var model = LevelModel(gains: channels.map { _ in gain })
    model.offsets = channels.map { (sums.actual[$0] - gain * sums.expected[$0]) / count }
    let highest = model.offsets.max { abs($0) < abs($1) } ?? 0
    guard abs(highest) > 1e-7 else { return nil }
    let energy = channels.reduce(0.0) { energy, channel in
      energy + self.energy(channel, gain: gain)
        - count * model.offsets[channel] * model.offsets[channel]
    }
    return candidate(
      .gain,
      "\(Figures.louder(gain)) with a \(highest < 0 ? "negative" : "positive") DC offset of "
        + Figures.level(abs(highest)), rank: 2, energy: energy, model)
  }

  /// The median of the gains of single samples. Unlike the mean, it does not follow a few samples
  /// that differ for another reason.
  private var typicalGain: Candidate? {
    var gains: [Double] = []
    let step = max(pair.count / 20000, 1)
    for channel in channels {
      let (then, now) = (pair.expected[channel], pair.actual[channel])
      let floor = Float(Math.squareRoot(sums.expectedSquares[channel] / max(sums.count, 1)))
      for frame in stride(from: 0, to: pair.count, by: step) where abs(then[frame]) > floor {
        gains.append(Double(now[frame]) / Double(then[frame]))
      }
    }
    gains.sort()
    guard gains.count > 16 else { return nil }
    let gain = gains[gains.count / 2]
    guard gain > 0, abs(gain - 1) > 1e-5 else { return nil }
    let energy = channels.reduce(0.0) { $0 + self.energy($1, gain: gain) }
    return candidate(
      .gain, Figures.louder(gain), rank: 1, energy: energy,
      LevelModel(gains: channels.map { _ in gain }))
  }

  private var balance: Candidate? {
    guard pair.channelCount > 1 else { return nil }
    let gains = channels.map { channel in
      let power = sums.expectedSquares[channel]
      let gain = power > 0 ? sums.products[channel] / power : 1
      return abs(gain - 1) < 1e-5 ? 1 : gain
    }
    let energy = channels.reduce(0.0) { $0 + self.energy($1, gain: gains[$1]) }
    let moved = channels.filter { gains[$0] != 1 }
    guard !moved.isEmpty else { return nil }
    let words = moved.map { channel in
      let name = pair.names(of: [channel])
      guard gains[channel] < 0 else { return "\(name) \(Figures.louder(gains[channel]))" }
      return "the polarity of \(name) is inverted"
    }
    return candidate(
      gains.contains { $0 < 0 } ? .polarity : .balance, words.joined(separator: ", "), rank: 2,
      energy: energy, LevelModel(gains: gains))
  }

  // MARK: - Stereo

  private var swap: Candidate? {
    let squares = sums.expectedSquares[0] + sums.expectedSquares[1]
    guard squares > 0 else { return nil }
    let gain = (sums.crossed.y + sums.crossed.z) / squares
    guard gain > 0 else { return nil }
    let energy =
      sums.actualSquares[0] + sums.actualSquares[1] - 2 * gain * (sums.crossed.y + sums.crossed.z)
      + gain * gain * squares
    let also = abs(gain - 1) < 1e-5 ? "" : " and \(Figures.louder(gain))"
    return candidate(
      .channelOrder, "left and right are swapped\(also)", rank: 2, energy: energy,
      LevelModel(matrix: [[0, gain], [gain, 0]]))
  }

  /// The gains of the sum (middle) and of the difference (sides) of both channels.
  private var middle: (gain: Double, power: Double, energy: Double) { part(sign: 1) }
  private var sides: (gain: Double, power: Double, energy: Double) { part(sign: -1) }

  private func part(sign: Double) -> (gain: Double, power: Double, energy: Double) {
    let power =
      (sums.expectedSquares[0] + sums.expectedSquares[1] + 2 * sign * sums.crossed.x) / 2
    let product =
      (sums.products[0] + sums.products[1] + sign * (sums.crossed.y + sums.crossed.z)) / 2
    let actual = (sums.actualSquares[0] + sums.actualSquares[1] + 2 * sign * sums.crossed.w) / 2
    let gain = power > 1e-9 * (sums.expectedSquares[0] + 1e-30) ? product / power : 1
    return (gain, power, actual - 2 * gain * product + gain * gain * power)
  }

  private var width: Candidate? {
    var (middle, sides) = (middle, sides)
    guard sides.power > 0 else { return nil }
    if abs(middle.gain - 1) < 1e-5 { middle.gain = 1 }
    if abs(sides.gain - 1) < 1e-5 { sides.gain = 1 }
    // Inverted sides are swapped channels.
    guard middle.gain != sides.gain, sides.gain > 1e-4, middle.gain > 1e-4 else { return nil }
    var words: [String] = []
    if middle.gain != 1 { words.append("the middle (left + right) \(Figures.louder(middle.gain))") }
    if sides.gain != 1 { words.append("the sides (left - right) \(Figures.louder(sides.gain))") }
    let (own, other) = ((middle.gain + sides.gain) / 2, (middle.gain - sides.gain) / 2)
    let kind = sides.gain / middle.gain < 1 ? "narrower" : "wider"
    return candidate(
      .width, "\(kind): \(words.joined(separator: ", "))", rank: 2,
      energy: middle.energy + sides.energy, LevelModel(matrix: [[own, other], [other, own]]))
  }

  /// Two different channels became equal.
  private var mono: Candidate? {
    let now = sums.actualSquares[0] + sums.actualSquares[1]
    let apart = now - 2 * sums.crossed.w
    let wereApart = sums.expectedSquares[0] + sums.expectedSquares[1] - 2 * sums.crossed.x
    guard now > 0, apart < 1e-9 * now, wereApart > 1e-6 * now, let mixed = mixModel else {
      return nil
    }
    let row = mixed.model.matrix[0]
    let what =
      abs(row[0] - row[1]) < 1e-3 * abs(row[0])
      ? "the mean of left and right"
      : abs(row[1]) < 1e-3 * abs(row[0])
        ? "left" : abs(row[0]) < 1e-3 * abs(row[1]) ? "right" : "a mix of left and right"
    return candidate(
      .mono, "mono: both channels are \(what)", rank: 2, energy: mixed.energy, mixed.model)
  }

  private var mix: Candidate? {
    guard let mixed = mixModel else { return nil }
    let matrix = mixed.model.matrix
    if abs(matrix[0][0] - 1) < 1e-3, abs(matrix[1][1] - 1) < 1e-3 {
      let crosses = [(0, 1), (1, 0)].filter { abs(matrix[$0][$1]) > 1e-7 }
      let words = crosses.map { row, source in
        "\(pair.names(of: [source])) on \(pair.names(of: [row])) at "
          + "\(Figures.level(abs(matrix[row][source])))"
      }
      guard !words.isEmpty else { return nil }
      return candidate(
        .mix, "crosstalk: \(words.joined(separator: ", "))", rank: 3, energy: mixed.energy,
        mixed.model)
    }
    let rows = mixed.model.matrix.map { row in
      "\(Figures.fixed(row[0], places: 3)) of left and \(Figures.fixed(row[1], places: 3)) of right"
    }
    return candidate(
      .mix, "its channels are mixed differently: left is \(rows[0]), right is \(rows[1])", rank: 3,
      energy: mixed.energy, mixed.model)
  }

  /// The mix of both expected channels that is closest to each actual channel.
  private var mixModel: (model: LevelModel, energy: Double)? {
    let (one, other, both) = (sums.expectedSquares[0], sums.expectedSquares[1], sums.crossed.x)
    let determinant = one * other - both * both
    guard determinant > 1e-9 * one * other else { return nil }
    func row(_ first: Double, _ second: Double) -> [Double] {
      [
        (first * other - second * both) / determinant,
        (second * one - first * both) / determinant,
      ]
    }
    let rows = [
      row(sums.products[0], sums.crossed.y), row(sums.crossed.z, sums.products[1]),
    ]
    let energy =
      sums.actualSquares[0] - rows[0][0] * sums.products[0] - rows[0][1] * sums.crossed.y
      + sums.actualSquares[1] - rows[1][0] * sums.crossed.z - rows[1][1] * sums.products[1]
    return (LevelModel(matrix: rows), energy)
  }
}
