import FxAudio
package import FxKit

extension Response {
  /// The levels of the tone with increasing level, in dB of full scale.
  static let levels = Array(stride(from: -60.0, through: 6, by: 2))
  /// The frequency of that tone in Hz.
  static let levelTone = 1000.0
  /// The levels of the two impulses in dB of full scale.
  private static let (loud, quiet) = (-6.0, -26.0)
  /// Seconds before an impulse, and seconds after it; the next value is tried if one is too short.
  private static let (before, after) = (0.25, [0.75, 3, 12])
  static let sweepSeconds = 4.0

  /// Measures a chain.
  ///
  /// - Parameter level: the level of tones and sweeps, in dB of full scale.
  /// - Throws: `ChainFailure`, also if the output is silent.
  package init(_ probe: ChainProbe, level: Double = -12) throws(ChainFailure) {
    var probe = probe
    let silence = try Self.silence(&probe)
    let rate = probe.sampleRate
    if silence.hasPlugins { probe.settling = try Self.settling(of: probe) }
    var ringing = try Ringing(probe, seconds: Self.after[0], before: Self.before)
    for seconds in Self.after.dropFirst() where !ringing.isOver {
      ringing = try Ringing(probe, seconds: seconds, before: Self.before)
    }
    let quiet = try ringing.repeated(probe, level: Self.quiet)
    let later = try ringing.repeated(probe, delay: 0.0871)
    let changes = ringing.difference(later) > -60
    let ownSound = Math.decibels(amplitude: Double(silence.sound.peak))
    // What moves anyway does not become steady, and neither does noise.
    let tries = changes || ownSound > Self.soundLimit ? [] : Self.longerSettling
    let lookahead = Double(silence.latency) / rate
    let (levels, louder, levelMovement) = try Self.settled(probe, ringing.seconds, tries) {
      ToneSteps(
        hertz: Self.levelTone, decibels: Self.levels, sampleRate: rate, settling: $0,
        lookahead: lookahead)
    }
    let (tones, higher, toneMovement) = try Self.settled(probe, ringing.seconds, tries) {
      ToneSteps(
        hertz: Self.frequencies(perOctave: 3, below: min(20000, rate * 0.45)), decibels: level,
        sampleRate: rate, settling: $0, lookahead: lookahead)
    }
    let swept = try probe.render(Self.sweep(rate, level: level))

    let isQuietSilent = quiet.energy < ringing.energy * 0.01
    let chosen = isQuietSilent ? ringing : quiet
    let sounds = [chosen.sound, louder.sound, higher.sound, swept.sound]
    let groups = Self.groups(sounds)
    sampleRate = rate
    output = silence.output
    otherOutputs = silence.otherOutputs
    latency = silence.latency
    self.level = level
    impulseLevel = chosen.level
    impulseOrigin = chosen.origin
    self.ownSound = ownSound
    movement = tries.isEmpty ? 0 : max(levelMovement, toneMovement)
    variation = ringing.difference(later)
    levelDependence = ringing.difference(quiet)
    isCut = !ringing.isOver
    faults = (silence.faults + louder.faults + higher.faults + swept.faults)
      .reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    isSmoothed = false
    channels = groups.map { group in
      let index = group.first
      return Channel(
        name: group.name, impulse: chosen.response(index),
        levels: levels.results(of: louder.sound.channels[index]),
        tones: tones.results(of: higher.sound.channels[index]), sweep: swept.sound.channels[index])
    }
    gainSpan = channels.map(Self.gainSpan).max() ?? 0
    gainTrend = abs(channels.map(Self.gainTrend).reduce(0, +) / Double(max(channels.count, 1)))
    momentDifference = 0
    try checkPath(of: probe)
    findPoints()
    guard isTimeVariant, let group = groups.first else { return }
    momentDifference = difference(
      ringing.response(group.first), later.response(group.first))
  }

  /// Seconds before a tone is measured, if its level still moves after the response to an impulse.
  private static let longerSettling = [1.2, 3]
  /// The level of a steady tone moves less than this, in dB, within its measured part.
  static let steadyLimit = 0.01

  /// Renders steps of a tone, longer ones while its level moves within a measured part.
  private static func settled(
    _ probe: ChainProbe, _ settling: Double, _ tries: [Double], _ steps: (Double) -> ToneSteps
  ) throws(ChainFailure) -> (steps: ToneSteps, result: ChainProbe.Result, movement: Double) {
    var best = steps(settling)
    var result = try probe.render(best.samples)
    var movement = best.movement(of: result.sound.channels)
    for seconds in tries where seconds > settling && movement > steadyLimit {
      best = steps(seconds)
      result = try probe.render(best.samples)
      movement = best.movement(of: result.sound.channels)
    }
    return (best, result, movement)
  }

  /// Renders silence and sets the probe's sample rate to the chain's.
  private static func silence(_ probe: inout ChainProbe) throws(ChainFailure) -> ChainProbe.Result {
    let first = try probe.render([Float](repeating: 0, count: Int(probe.sampleRate)))
    guard first.sound.sampleRate != probe.sampleRate else { return first }
    probe.sampleRate = first.sound.sampleRate
    return try probe.render([Float](repeating: 0, count: Int(probe.sampleRate)))
  }

  /// Many plugins move from their defaults to the chain's values in their first second. This is the
  /// shortest time after which an impulse later makes no difference; for a plugin that always
  /// changes, the first of them.
  private static func settling(of probe: ChainProbe) throws(ChainFailure) -> Double {
    var probe = probe
    var earlier = try Ringing(probe, seconds: after[0], before: before)
    var settling = 0.0
    for seconds in [1.0, 2, 4] {
      probe.settling = seconds
      let later = try Ringing(probe, seconds: after[0], before: before)
      if earlier.difference(later) < -60 { return settling }
      (earlier, settling) = (later, seconds)
    }
    return 1
  }

  private func checkPath(of probe: ChainProbe) throws(ChainFailure) {
    let isSilent = channels.allSatisfy { channel in
      channel.levels.allSatisfy { $0.level < -140 } && channel.impulse.allSatisfy { abs($0) < 1e-6 }
    }
    guard isSilent else { return }
    throw ChainFailure(
      .chain, code: .noPath,
      "nothing of the input '\(probe.input)' reaches the output '\(output)'; "
        + "there is nothing to plot")
  }

  /// A sweep from 20 Hz to 20 kHz with increasing speed.
  static func sweep(_ rate: Double, level: Double) -> [Float] {
    let (low, high) = (20.0, min(20000, rate * 0.45))
    let count = Int(sweepSeconds * rate)
    let amplitude = Math.amplitude(decibels: level)
    let octaves = Math.log2(high / low)
    let scale = low * sweepSeconds / (octaves * Math.log(2))
    return (0..<count).map { frame in
      let share = Double(frame) / Double(count)
      let cycles = scale * (Math.exp2(octaves * share) - 1)
      let edge = min(min(Double(frame), Double(count - frame)) / (0.005 * rate), 1)
      return Float(amplitude * edge * Math.sin(2 * .pi * (cycles - cycles.rounded(.down))))
    }
  }

  /// The difference between the smallest and the largest gain of all levels with an audible output.
  private static func gainSpan(_ channel: Channel) -> Double {
    let gains = channel.levels.compactMap { result -> Double? in
      result.level > -110 ? result.level - result.step.decibels : nil
    }
    guard let low = gains.min(), let high = gains.max() else { return 0 }
    return gains.count < channel.levels.count && gains.count > 1 ? max(high - low, 1) : high - low
  }

  /// The mean gain of the quietest third of the levels minus that of the loudest third.
  private static func gainTrend(_ channel: Channel) -> Double {
    let gains = channel.levels.map { max($0.level, -140) - $0.step.decibels }
    let count = gains.count / 3
    guard count > 0 else { return 0 }
    return (gains.prefix(count).reduce(0, +) - gains.suffix(count).reduce(0, +)) / Double(count)
  }

  /// Groups of channels that are identical in all sounds.
  private static func groups(_ sounds: [Sound]) -> [(first: Int, name: String)] {
    let count = sounds.map(\.channelCount).min() ?? 0
    var groups: [[Int]] = []
    for channel in 0..<count {
      let same = groups.firstIndex { group in
        sounds.allSatisfy { $0.channels[group[0]] == $0.channels[channel] }
      }
      if let same { groups[same].append(channel) } else { groups.append([channel]) }
    }
    return groups.map { group in
      let names = group.map { Comparison.channelName($0, of: count) }
      return (group[0], groups.count == 1 ? "" : names.joined(separator: " and "))
    }
  }

  /// Computes magnitude, phase and group delay of each channel; uses means over bands if the
  /// response changes too much between two frequencies.
  private mutating func findPoints() {
    let all = Self.frequencies(perOctave: 48, below: min(20000, sampleRate * 0.499))
    let functions = channels.map {
      TransferFunction($0.impulse, origin: impulseOrigin, sampleRate: sampleRate)
    }
    let points = functions.map { function in all.map { function.point(at: $0) } }
    isSmoothed = points.contains(where: Self.isDense)
    for channel in channels.indices {
      channels[channel].points =
        isSmoothed ? means(functions[channel], perOctave: 12) : points[channel]
    }
  }

  /// The levels of bands; adjacent bands overlap by half.
  private func means(
    _ function: TransferFunction, perOctave count: Int
  ) -> [TransferFunction.Point] {
    let half = Math.exp2(0.5 / Double(count))
    return Self.frequencies(perOctave: 2 * count, below: min(20000, sampleRate * 0.499)).map {
      function.mean(from: $0 / half, to: min($0 * half, sampleRate / 2))
    }
  }

  /// The median difference of two responses in third-octave bands, in dB.
  private func difference(_ one: [Float], _ other: [Float]) -> Double {
    let levels = [one, other].map { response in
      means(
        TransferFunction(response, origin: impulseOrigin, sampleRate: sampleRate), perOctave: 3
      ).map(\.decibels)
    }
    let changes = zip(levels[0], levels[1]).map { $0 == $1 ? 0 : abs($0 - $1) }
    return changes.sorted()[changes.count / 2]
  }

  /// True if half of the levels differ from the mean of their neighbours.
  private static func isDense(_ points: [TransferFunction.Point]) -> Bool {
    let peak = points.map(\.decibels).max() ?? 0
    var bends: [Double] = []
    for index in points.indices.dropFirst().dropLast() {
      let (left, own, right) = (points[index - 1], points[index], points[index + 1])
      guard own.decibels > peak - 60 else { continue }
      let middle = (left.decibels + right.decibels) / 2
      bends.append(middle.isFinite ? abs(own.decibels - middle) : 0)
    }
    return bends.count > 8 && bends.sorted()[bends.count / 2] > 0.15
  }
}

/// The response to an impulse.
private struct Ringing {
  let sound: Sound
  let level: Double
  /// The frame of the impulse.
  let origin: Int
  private let frameCount: Int

  init(
    _ probe: ChainProbe, seconds: Double, before: Double, level: Double = -6, delay: Double = 0
  ) throws(ChainFailure) {
    let rate = probe.sampleRate
    origin = Int(before * rate)
    frameCount = origin + Int(seconds * rate)
    self.level = level
    let moved = Int(delay * rate)
    var samples = [Float](repeating: 0, count: frameCount + moved)
    samples[origin + moved] = Float(Math.amplitude(decibels: level))
    sound = try probe.render(samples).sound
    self.moved = moved
  }

  /// The delay of the impulse in frames.
  private let moved: Int

  /// The same measurement with another level or a delay.
  func repeated(
    _ probe: ChainProbe, level: Double = -6, delay: Double = 0
  ) throws(ChainFailure) -> Ringing {
    let rate = probe.sampleRate
    return try Ringing(
      probe, seconds: Double(frameCount - origin) / rate + 0.5 / rate,
      before: Double(origin) / rate + 0.5 / rate, level: level, delay: delay)
  }

  /// The response of a channel, scaled to an impulse of 1.
  func response(_ channel: Int) -> [Float] {
    let gain = Float(1 / Math.amplitude(decibels: level))
    return sound.channels[channel].dropFirst(moved).prefix(frameCount).map { $0 * gain }
  }

  private var responses: [[Float]] { sound.channels.indices.map(response) }

  var energy: Double { Self.energy(responses) }

  private static func energy(_ channels: [[Float]]) -> Double {
    channels.reduce(0) { $1.reduce($0) { $0 + Double($1) * Double($1) } }
  }

  /// Seconds after which the response stays below -70 dB.
  var seconds: Double {
    let last =
      responses.map { channel -> Int in
        let floor = Self.energy([channel]) * 1e-7
        var (sum, count) = (0.0, channel.count)
        for sample in channel.reversed() {
          sum += Double(sample) * Double(sample)
          guard sum <= floor else { break }
          count -= 1
        }
        return count
      }.max() ?? 0
    return Double(max(last - origin, 0)) / sound.sampleRate
  }

  /// True if the last fifth is practically silent.
  var isOver: Bool {
    let channels = responses
    let end = channels.map { Array($0.suffix($0.count / 5)) }
    return Self.energy(end) <= Self.energy(channels) * 1e-9
  }

  /// The energy of the difference, in dB relative to the energy of both.
  func difference(_ other: Ringing) -> Double {
    let (own, its) = (responses, other.responses)
    let rest = zip(own, its).map { one, two in zip(one, two).map { $0 - $1 } }
    let all = max(Self.energy(own), Self.energy(its))
    guard all > 0 else { return -.infinity }
    return Math.decibels(amplitude: Math.squareRoot(Self.energy(rest) / all))
  }
}
