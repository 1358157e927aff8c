import FxNodes
import Glibc

extension EcasoundOperator {
  /// `-eal:percent`: samples beyond it are cut.
  func clip() -> [Step] {
    let limit = number(0) / 100
    guard limit < 1 else { return nothing("it cuts nothing below full scale") }
    guard limit > 0 else { return refuse("its limit is above 0") }
    return all(
      Clipper(
        id: id, threshold: .decibels(rounded(decibels(limit))), softness: 0, oversampling: .off))
  }

  /// `-ec:rate,threshold`: the slopes of the wave above the threshold become flatter.
  func compressor() -> [Step] {
    effect.approximate(
      "the same level curve within 1 dB up to a rate of 6 dB; ecasound bends each wave and distorts"
    )
    return all(
      Compressor(
        id: id, threshold: .decibels(rounded(decibels(number(1) / 100))),
        ratio: rounded(exp2(number(0) / 6)), knee: 0, attack: 0.001, release: 0.05,
        detector: .peak, link: false))
  }

  /// `-eca:level,release,fast,rate`. A value of 0 is ecasound's own default.
  ///
  /// Above a floor of -24.4 dB the output is `level + rate × (target - level)`, where the target is 90 % of the first
  /// value: a compressor with its threshold at the floor. The fast rate decides only which part of the gain is
  /// there at once.
  func advancedCompressor() -> [Step] {
    effect.options.ignore("2")
    guard width == 2 else { return refuse("for a signal of two channels") }
    // Its measurement of a tone settles that much higher.
    let ripple = 1.7
    let target = decibels(0.9 * (number(0) == 0 ? 69 : number(0)) / 100) - ripple
    let release = number(1) == 0 ? 0.01 : number(1)
    let rate = number(3) == 0 ? 1 : number(3)
    guard rate > 0, rate <= 1 else { return refuse("its rate is above 0 and up to 1") }
    let floor = decibels(0.06)
    let makeup = rate * (target - floor)
    effect.approximate(
      "the same level curve above \(plain((floor * 10).rounded() / 10)) dB once its gain has settled, which takes"
        + " seconds; softer parts get \(plain((makeup * 10).rounded() / 10)) dB, in ecasound the gain of the part before"
    )
    return all(
      Compressor(
        id: id, threshold: .decibels(rounded(floor)),
        ratio: min(rounded(1 / (1 - rate + 1e-9)), 100),
        knee: 0, attack: 0.045, release: .seconds(rounded(min(max(release, 0.005), 5))),
        makeup: .decibels(rounded(makeup)), detector: .peak),
      Limiter(id: effect.importing.id("limiter"), ceiling: .decibels(rounded(decibels(0.9)))))
  }

  /// `-enm:threshold,before,attack,hold,release`: `attack` closes it and `release` opens it.
  func gate() -> [Step] {
    effect.options.ignore("3")
    effect.approximate(
      "the same threshold; curves of its own, and it opens at once: ecasound waits for the hold time"
    )
    return all(
      Gate(
        id: id, threshold: .decibels(rounded(decibels(number(0) / 100))), hysteresis: 0,
        range: 96, attack: .seconds(min(max(number(4) / 1000, 0.0001), 0.5)),
        hold: .seconds(min(max(number(1) / 1000, 0), 2)),
        release: .seconds(min(max(number(2) / 1000, 0.005), 5))))
  }

  /// `-gm:1` lets everything pass.
  func manualGate() -> [Step] {
    guard number(0) < 1 else { return nothing("an open gate") }
    effect.approximate("silence: ecasound leaves out the time")
    return all(Gain(id: id, gain: .silence))
  }

  /// `-ezx:count,…` adds a constant to each channel.
  func constant() -> [Step] {
    effect.options.ignoreAll()
    guard (1..<max(count, 1)).contains(where: { number($0) != 0 }) else {
      return nothing("it adds nothing")
    }
    effect.approximate("a filter that takes away any constant, in place of adding these")
    return all(DCBlock(id: id))
  }
}
