import FxNodes
import Glibc

extension EcasoundOperator {
  /// Whole frames of a time in milliseconds, at least one; nil for one that cannot be.
  func delayFrames(_ milliseconds: Double) -> Int? {
    let frames = milliseconds * sampleRate / 1000
    guard (0...4_800_000).contains(frames) else { return nil }
    return max(Int(frames), 1)
  }

  /// A number of echoes, at least one; nil for one that is too long for an impulse.
  private func echoCount(_ index: Int, _ frames: Int) -> Int? {
    guard let number = integer(index) else { return nil }
    let count = number == 0 ? 1 : number
    return count > 0 && count <= 480_000 / frames ? count : nil
  }

  /// `-etd:ms,mode,count,mix,feedback`: echoes of the first two channels, each at a further part of its level.
  func delays() -> [Step] {
    guard let frames = delayFrames(number(0)), let count = echoCount(2, frames),
      let mode = integer(1)
    else { return refuse("its echoes are longer than 10 s at 48 kHz") }
    let mix = number(3) / 100
    let given = number(4)
    let share = given == 0 || given > 100 ? 1 : given / 100
    let level = { (echo: Int) in mix / Double(count) * pow(share, Double(echo)) }
    guard (0...2).contains(mode), mix != 0 else { return all(effect.gain(1 - mix)) }
    if mode == 0, width <= 2 { return same(frames, count, 1 - mix, level) }
    let echoes = Echoes.coefficients(count: count, frames: frames, direct: 0, level)
    switch mode {
    case 0: return sides(dry: 1 - mix, feeds: [[1, 0], [0, 1]], echoes: [echoes, echoes])
    case 1: return sides(dry: 1 - mix, feeds: [[0, 1], [1, 0]], echoes: [echoes, echoes])
    default:
      // The first echo is on the left.
      let turns = [1, 0].map { rest in
        Echoes.coefficients(count: count, frames: frames, direct: 0) {
          $0 % 2 == rest ? level($0) : 0
        }
      }
      return sides(dry: 1 - mix, feeds: [[0.5, 0.5], [0.5, 0.5]], echoes: turns)
    }
  }

  /// `-etm:ms,count,mix`: echoes of all channels, of one level.
  func multitap() -> [Step] {
    guard let frames = delayFrames(number(0)), let count = echoCount(1, frames) else {
      return refuse("its echoes are longer than 10 s at 48 kHz")
    }
    let mix = number(2) / 100
    return same(frames, count, 1 - mix) { _ in mix / Double(count) }
  }

  /// Echoes of each channel by itself.
  private func same(
    _ frames: Int, _ count: Int, _ direct: Double, _ level: (Int) -> Double
  ) -> [Step] {
    let time = Double(frames) / sampleRate
    if count == 1, direct >= 0, level(1) >= 0, direct + level(1) > 0, (0.001...5).contains(time) {
      return effect.echo(direct: direct, factor: level(1), time: time, name)
        .map { Step(node: $0, width: width) }
    }
    return impulse(Echoes.coefficients(count: count, frames: frames, direct: direct, level))
  }

  /// `-etr:ms,mode,feedback`: an echo of the output, which changes sides in a mode other than 0.
  func echoes() -> [Step] {
    guard let frames = delayFrames(number(0)), let mode = integer(1) else {
      return refuse("its echoes are longer than 100 s at 48 kHz")
    }
    let share = number(2) / 100
    guard mode != 0 else {
      guard width <= 2 else { return refuse("for a signal of two channels") }
      return feedback(direct: 1 - share, factor: share, frames: frames)
    }
    guard abs(share) < 1 else { return refuse("its echoes do not fade") }
    guard share != 0 else { return [] }
    let count = Int((log(1e-6) / log(abs(share))).rounded(.up))
    guard count <= 480_000 / frames else {
      return refuse("its echoes last too long for an impulse")
    }
    // Odd echoes come from the other side.
    let parts = [0, 1].map { rest in
      Echoes.coefficients(count: count, frames: frames, direct: 0) {
        $0 % 2 == rest ? (1 - share) * pow(share, Double($0)) : 0
      }
    }
    return crossed(dry: 1 - share, own: parts[0], other: parts[1])
  }

  /// Echoes of the side itself and of the other one: the sum of both for the middle, their difference for the sides.
  private func crossed(dry: Double, own: [Double], other: [Double]) -> [Step] {
    guard width <= 2 else { return refuse("for a signal of two channels") }
    let nodes = [1.0, -1].enumerated().compactMap { index, sign in
      var coefficients = zip(own, other).map { $0 + sign * $1 }
      coefficients[0] += dry
      return convolver("\(name)-\(index + 1)", coefficients)
    }
    guard nodes.count == 2 else { return [] }
    let before = width == 2 ? [] : sides1()
    return before + [
      Step(node: MidSideEncode(id: id).node, width: 2),
      Step(node: nodes[0], channels: [0], width: 2),
      Step(node: nodes[1], channels: [1], width: 2),
      Step(node: MidSideDecode(id: id).node, width: 2),
    ]
  }

  /// A second, silent channel for a signal of one.
  private func sides1() -> [Step] {
    [Step(node: Matrix(id: id, channels: 2, routes: [Matrix.Route(from: 1, to: 1)]).node, width: 2)]
  }

  // MARK: Movement

  /// `ms,frames,percent,hertz`.
  func chorus() -> [Step] {
    effect.approximate("the same times and rate; another curve and beginning")
    let share = number(2)
    return all(
      Chorus(
        id: id, rate: .hertz(number(3)), depth: .seconds(rounded(number(1) / sampleRate)),
        time: .milliseconds(number(0)), spread: 0, voices: 1, wet: .percent(share)))
  }

  /// ecasound's phaser is its flanger with the copy inverted.
  func flanger() -> [Step] {
    effect.approximate("the same times, rate and feedback; another curve and beginning")
    let share = number(2)
    let sign: Double = name == "etp" ? -1 : 1
    return all(
      Flanger(
        id: id, rate: .hertz(number(3)), depth: .seconds(rounded(number(1) / sampleRate)),
        time: .milliseconds(number(0)), feedback: .percent(rounded(sign * share)), spread: 0,
        wet: .percent(rounded(share / (1 + share / 100)))))
  }

  /// `-ete:metres,percent,wet`.
  func reverb() -> [Step] {
    effect.approximate("a room of fxrun's own that is about as long and as dark")
    let share = max(number(1) / 100, 0.001)
    return all(
      Reverb(
        id: id, decay: .seconds(rounded(min(max(2.8 - 0.22 / share, 0.3), 20))),
        preDelay: .seconds(rounded(min(max(number(0), 0) / 333, 0.25))), damping: 2500,
        wet: .percent(number(2))))
  }

  /// `-eemt:bpm,depth`.
  func tremolo() -> [Step] {
    effect.approximate("the same rate and depth; another curve and beginning")
    return all(
      Tremolo(id: id, rate: .hertz(rounded(number(0) / 60)), depth: .percent(number(1))))
  }

  /// `-eemp:hertz,on` and `-eemb:bpm,on`.
  func pulse() -> [Step] {
    guard number(1) == 50 else {
      return refuse("fxrun's tremolo is on for half of each period, with 'shape' square")
    }
    effect.approximate("the same rate; round edges and another beginning")
    let rate = name == "eemb" ? rounded(number(0) / 60) : number(0)
    return all(Tremolo(id: id, rate: .hertz(rate), depth: 1, shape: .square))
  }
}
