import FxNodes
import Glibc

extension SoxEffect {
  // MARK: Levels

  func gain() -> [Node] {
    for option in ["-e", "-B", "-b", "-r", "-h"] where has(option) {
      return refuse(
        "fxrun's gain is the same for all channels and times: \(option) is another thing")
    }
    let level = number(0) ?? 0
    if has("-n") { return [Normalize(id: id, level: .decibels(level)).node] }
    guard has("-l") else { return [Gain(id: id, gain: .decibels(level)).node] }
    effect.approximate("a limiter with curves of its own stands after the gain")
    return [
      Gain(id: id, gain: .decibels(level)).node,
      Limiter(id: effect.importing.id("limiter"), ceiling: 0).node,
    ]
  }

  func volume() -> [Node] {
    guard let first = value(0) else { return refuse("it needs a level") }
    let isDecibels = first.lowercased().hasSuffix("db")
    let type = isDecibels ? "db" : (value(1) ?? "amplitude").lowercased()
    guard let number = Double(isDecibels ? String(first.dropLast(2)) : first) else {
      return refuse("it needs a level")
    }
    switch type {
    case "amplitude": return [effect.gain(number)]
    case "power": return [effect.gain((number < 0 ? -1 : 1) * abs(number).squareRoot())]
    case "db": return [Gain(id: id, gain: .decibels(number)).node]
    default: return refuse("a level is an amplitude, a power or in dB")
    }
  }

  // MARK: Time

  func echo() -> [Node] {
    guard let numbers = numbers(), numbers.count >= 4 else {
      return refuse("it needs two levels, a time and a level")
    }
    guard numbers.count == 4 else { return refuse("fxrun's delay has one time: this has several") }
    return effect.echo(
      direct: numbers[0] * numbers[1], factor: numbers[3] * numbers[1], time: numbers[2] / 1000,
      "echo")
  }

  func reverb() -> [Node] {
    let share = (number(0) ?? 50) / 100
    effect.approximate("a room of fxrun's own that is about as long and as bright")
    return [
      Reverb(
        id: id, decay: .seconds(rounded(0.3 + 3 * share * share)),
        preDelay: .milliseconds(min(max(number(4) ?? 0, 0), 250)),
        damping: .hertz(rounded(16000 * pow(0.25, (number(1) ?? 50) / 100))),
        size: .percent(min(max(number(2) ?? 100, 30), 200)),
        wet: has("-w") ? 1 : .percent(rounded(min(25 * factor(decibels: number(5) ?? 0), 100)))
      )
      .node
    ]
  }

  func pitch() -> [Node] {
    guard let cents = number(0) else { return refuse("it needs a shift in cents") }
    effect.approximate("the same shift, made in another way")
    return [Pitch(id: id, shift: .semitones(rounded(cents / 100))).node]
  }

  // MARK: Movement

  func tremolo() -> [Node] {
    guard let speed = number(0) else { return refuse("it needs a rate") }
    effect.approximate("the same rate and depth; another curve and beginning")
    return [
      Tremolo(id: id, rate: .hertz(speed), depth: .percent(number(1) ?? 40)).node
    ]
  }

  /// gain-in gain-out delay decay speed depth
  func chorus() -> [Node] {
    guard let delay = number(2), let decay = number(3), let speed = number(4),
      let depth = number(5)
    else { return refuse("it needs six numbers") }
    effect.approximate("the same times and rate, with voices of fxrun's own")
    return [
      Chorus(
        id: id, rate: .hertz(speed), depth: .milliseconds(depth), time: .milliseconds(delay),
        wet: .percent(rounded(100 * decay / (decay + max(number(0) ?? 1, 0.01))))
      ).node
    ]
  }

  /// delay depth regen width speed
  func flanger() -> [Node] {
    effect.approximate("the same times, rate and feedback; another curve")
    return [
      Flanger(
        id: id, rate: .hertz(number(4) ?? 0.5), depth: .milliseconds(number(1) ?? 2),
        time: .milliseconds(max(number(0) ?? 0, 0.1)), feedback: .percent(number(2) ?? 0)
      ).node
    ]
  }

  /// gain-in gain-out delay decay speed
  func phaser() -> [Node] {
    guard let decay = number(3), let speed = number(4) else {
      return refuse("it needs five numbers")
    }
    effect.approximate("the same rate and feedback with another filter")
    return [Phaser(id: id, rate: .hertz(speed), feedback: .percent(rounded(decay * 100))).node]
  }

  // MARK: Dynamics and distortion

  func overdrive() -> [Node] {
    effect.approximate("the same drive on another curve")
    return [Saturator(id: id, drive: .decibels(number(0) ?? 20)).node]
  }

  func earwax() -> [Node] {
    effect.approximate("another filter for the same purpose")
    return [Crossfeed(id: id).node]
  }

  /// One threshold above which the curve is flatter; others are refused.
  func compand() -> [Node] {
    guard let first = value(0), let second = value(1) else {
      return refuse("it needs times and a curve")
    }
    let times = first.split(separator: ",").compactMap { Double($0) }
    // The level and the delay at the beginning.
    effect.options.ignore("3", "4")
    var curve = second.split(separator: ":", omittingEmptySubsequences: false)
    let knee = curve.count > 1 ? Double(curve.removeFirst()) ?? 0 : 0
    let levels = curve[0].split(separator: ",").map { $0 == "-inf" ? -900 : Double($0) }
    guard times.count == 2, levels.allSatisfy({ $0 != nil }) else {
      return refuse("fxrun's compressor takes one pair of times and a curve of numbers")
    }
    guard let shape = CompandShape(levels.compactMap { $0 }) else {
      return refuse(
        "its curve has more than one bend: fxrun's compressor has a threshold and a ratio")
    }
    effect.approximate("the same curve; the gain moves on a curve of fxrun's own")
    return [
      Compressor(
        id: id, threshold: .decibels(rounded(shape.threshold)), ratio: rounded(shape.ratio),
        knee: .decibels(knee), attack: .seconds(max(times[0], 0.0001)),
        release: .seconds(max(times[1], 0.005)),
        makeup: .decibels(rounded(shape.makeup + (number(2) ?? 0))), detector: .peak
      ).node
    ]
  }
}

/// A curve of sox and ffmpeg with one bend: below it the level is kept, above it a ratio counts.
struct CompandShape {
  let threshold: Double
  let ratio: Double
  /// The gain below the threshold, in decibels.
  let makeup: Double

  /// - Parameter levels: pairs of an input and an output level in decibels; an output level may be missing at the
  ///   end, which keeps the input's.
  init?(_ levels: [Double]) {
    var levels = levels
    if levels.count % 2 == 1 { levels.append(levels[levels.count - 1]) }
    var points = stride(from: 0, to: levels.count, by: 2).map { (levels[$0], levels[$0 + 1]) }
    if let last = points.last, last.0 < 0 { points.append((0, 0)) }
    guard points.count >= 2 else { return nil }
    // The gain at each point; it may be constant, and then change in a line.
    let gains = points.map { $0.1 - $0.0 }
    guard let bend = gains.lastIndex(where: { abs($0 - gains[0]) < 1e-9 }), bend < points.count - 1
    else { return nil }
    let (first, last) = (points[bend], points[points.count - 1])
    let slope = (last.1 - first.1) / (last.0 - first.0)
    let isStraight = points[bend...].allSatisfy {
      abs($0.1 - (first.1 + slope * ($0.0 - first.0))) < 0.01
    }
    guard isStraight, slope > 0, slope < 1 else { return nil }
    (threshold, ratio, makeup) = (first.0, 1 / slope, gains[0])
  }
}
