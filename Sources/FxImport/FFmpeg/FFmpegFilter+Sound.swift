import FxNodes
import Glibc

extension FFmpegFilter {
  func volume() -> [Node] {
    effect.options.ignore("precision", "eval")
    if let gain = text("replaygain"), gain != "drop", gain != "ignore" {
      return refuse("fxrun's --replaygain does it")
    }
    return [effect.gain(number("volume", at: 0) ?? 1)]
  }

  func echo() -> [Node] {
    let times = (text("delays", at: 2) ?? "1000").split(separator: "|").compactMap { Double($0) }
    let levels = (text("decays", at: 3) ?? "0.5").split(separator: "|").compactMap { Double($0) }
    guard times.count == 1, levels.count == 1 else {
      return refuse("fxrun's delay has one time: this has several")
    }
    let output = number("out_gain", at: 1) ?? 0.3
    return effect.echo(
      direct: (number("in_gain", at: 0) ?? 0.6) * output, factor: levels[0] * output,
      time: times[0] / 1000, "echo")
  }

  // MARK: Dynamics

  /// Gains before and after a node; factors.
  private func gained(_ node: some ChainNode, before: Double = 1, after: Double = 1) -> [Node] {
    (before == 1 ? [] : [effect.gain(before)]) + [node.node]
      + (after == 1 ? [] : [effect.gain(after)])
  }

  private func level(_ factor: Double) -> Level { .decibels(rounded(decibels(max(factor, 1e-6)))) }

  private func seconds(_ name: String, _ otherwise: Double, _ least: Double) -> Time {
    .seconds(rounded(max((number(name) ?? otherwise) / 1000, least)))
  }

  func compressor() -> [Node] {
    guard text("mode") ?? "downward" == "downward" else {
      return refuse("fxrun's compressor does not raise what is quiet")
    }
    // The mean of ffmpeg rises in the attack time and falls in the release time, which keeps it near the peak.
    effect.approximate(
      "the same threshold, ratio and times; the gain moves on a curve of fxrun's own")
    let node = Compressor(
      id: id, threshold: level(number("threshold") ?? 0.125), ratio: number("ratio") ?? 2,
      knee: .decibels(rounded(decibels(max(number("knee") ?? 2.82843, 1)))),
      attack: seconds("attack", 20, 0.0001), release: seconds("release", 250, 0.005),
      makeup: level(number("makeup") ?? 1), detector: .peak)
    let mix = number("mix") ?? 1
    return gained(
      mix < 1 ? node.node.key("wet", .number(mix)) : node.node,
      before: number("level_in") ?? 1)
  }

  func gate() -> [Node] {
    effect.approximate(
      "the same threshold, ratio and range; the gain moves on a curve of fxrun's own")
    let ratio = number("ratio") ?? 2
    // With "rms" ffmpeg reckons with squares, and turns down by twice as many decibels.
    let slope = text("detection") == "peak" ? ratio : 2 * ratio - 1
    let range = -decibels(max(number("range") ?? 0.06125, 1e-6))
    return gained(
      Expander(
        id: id, threshold: level(number("threshold") ?? 0.125),
        ratio: min(slope, 20),
        knee: .decibels(rounded(decibels(max(number("knee") ?? 2.82843, 1)))),
        range: .decibels(rounded(min(max(range, 0), 96))), attack: seconds("attack", 20, 0.0001),
        hold: 0, release: seconds("release", 250, 0.005)),
      before: number("level_in") ?? 1, after: number("makeup") ?? 1)
  }

  func limiter() -> [Node] {
    let limit = number("limit") ?? 1
    effect.approximate("the same ceiling; the gain moves on a curve of fxrun's own")
    let isRaised = text("level").map { $0 != "0" && $0 != "false" && $0 != "disabled" } ?? true
    return gained(
      Limiter(
        id: id, ceiling: level(limit), release: seconds("release", 50, 0.001),
        lookahead: seconds("attack", 5, 0.0005)),
      before: number("level_in") ?? 1,
      after: rounded((number("level_out") ?? 1) / (isRaised ? limit : 1)))
  }

  func loudness() -> [Node] {
    effect.approximate("one gain for the whole sound, where ffmpeg changes it over time")
    return [
      Loudness(
        id: id, target: .lufs(number("I", "i") ?? -24), ceiling: .decibels(number("TP", "tp") ?? -2)
      ).node
    ]
  }

  func deEsser() -> [Node] {
    effect.approximate("another detector for the same purpose")
    return [DeEsser(id: id).node]
  }

  func denoise() -> [Node] {
    effect.approximate("another method for the same purpose")
    return name == "arnndn" ? [SpeechDenoise(id: id).node] : [Denoise(id: id).node]
  }

  // MARK: Movement, pitch and distortion

  func tremolo() -> [Node] {
    effect.approximate("the same rate and depth; another curve and beginning")
    return [
      Tremolo(
        id: id, rate: .hertz(number("f", at: 0) ?? 5),
        depth: .percent(rounded((number("d", at: 1) ?? 0.5) * 100))
      ).node
    ]
  }

  func vibrato() -> [Node] {
    effect.approximate("the same rate and depth; another beginning")
    return [
      Vibrato(
        id: id, rate: .hertz(number("f", at: 0) ?? 5),
        depth: .milliseconds(rounded((number("d", at: 1) ?? 0.5) * 5))
      ).node
    ]
  }

  func flanger() -> [Node] {
    effect.approximate("the same times, rate and feedback; another curve")
    return [
      Flanger(
        id: id, rate: .hertz(number("speed") ?? 0.5), depth: .milliseconds(number("depth") ?? 2),
        time: .milliseconds(max(number("delay") ?? 0, 0.1)),
        feedback: .percent(number("regen") ?? 0)
      ).node
    ]
  }

  func phaser() -> [Node] {
    effect.approximate("the same rate and feedback with another filter")
    return [
      Phaser(
        id: id, rate: .hertz(number("speed") ?? 0.5),
        feedback: .percent(rounded((number("decay") ?? 0.4) * 100))
      ).node
    ]
  }

  func pitch() -> [Node] {
    guard number("tempo") ?? 1 == 1 else {
      return refuse("fxrun's pitch keeps the duration: 'speed' and 'keepPitch' of a source")
    }
    effect.approximate("the same shift, made in another way")
    return [Pitch(id: id, shift: .semitones(rounded(12 * log2(number("pitch") ?? 1)))).node]
  }

  func crusher() -> [Node] {
    effect.approximate("the same bits and rate; even steps")
    let hold = max(number("samples") ?? 1, 1)
    return gained(
      Bitcrusher(
        id: id, bits: .init(number("bits") ?? 8),
        rate: .hertz(rounded(effect.importing.sampleRate / hold))),
      before: number("level_in") ?? 1, after: number("level_out") ?? 1)
  }
}
