import FxNodes
import Glibc

extension EasyEffectsPlugin {
  /// bs2b, which fxrun's crossfeed follows.
  func crossfeed() -> EasyEffectsNodes? {
    EasyEffectsNodes(
      Crossfeed(
        id: importing.id(name), frequency: .hertz(number("fcut", 700, in: 300...2000)),
        separation: .decibels(number("feed", 4.5, in: 1...15))))
  }

  /// The stereo tools of Calf: matrices before and after a delay of one side.
  ///
  /// Source: FFmpeg 4.4, `af_stereotools.c`, which is Calf's plugin.
  func stereoTools() -> EasyEffectsNodes? {
    refuse(flag: "softclip", "fxrun has no such curve: put a saturator before it")
    settle(["sc-level"], .translated("of the softclip"))
    let tools = StereoTools(self)
    let delay = number("delay", 0)
    guard delay != 0 else {
      let share = { (level: Double) in level <= -80 ? 0 : pow(10, level / 20) }
      let (direct, processed) = (share(number("dry", -100)), share(number("wet", 0)))
      return EasyEffectsNodes(
        matrix(name) { left, right in
          let (newLeft, newRight) = tools.after(tools.before((left, right)))
          return (direct * left + processed * newLeft, direct * right + processed * newRight)
        })
    }
    // Calf counts the values of both channels as the frames of one, and so delays by half.
    let frames = (abs(delay) / 1000 * importing.sampleRate / 2).rounded(.down)
    let align = Align(
      id: importing.id("\(name)-delay"), time: .seconds(rounded(frames / importing.sampleRate)))
    settings["delay"]?.turn(.translated("half of the time, as the plugin delays it"))
    let before = matrix(name) { tools.before(($0, $1)) }
    let after = matrix("\(name)-after") { tools.after(($0, $1)) }
    settle(["dry"])
    var nodes = mixed(after)
    nodes.parts.insert(
      contentsOf: [
        EasyEffectsNodes.Part(node: before.node, channels: nil),
        EasyEffectsNodes.Part(node: align.node, channels: [delay > 0 ? 1 : 0]),
      ], at: 0)
    return nodes
  }

  /// A matrix that does what a linear function of left and right does.
  private func matrix(
    _ id: String, _ function: (Double, Double) -> (Double, Double)
  ) -> Matrix {
    let routes = [(1, function(1, 0)), (2, function(0, 1))].flatMap { from, gains in
      [(1, gains.0), (2, gains.1)].compactMap { to, gain -> Matrix.Route? in
        guard abs(gain) > 1e-9 else { return nil }
        let level = rounded(decibels(abs(gain)))
        return Matrix.Route(
          from: from, to: to, gain: abs(level) < 1e-9 ? nil : .decibels(level),
          invert: gain < 0 ? true : nil)
      }
    }
    return Matrix(id: importing.id(id), channels: 2, routes: routes)
  }
}

/// What the stereo tools of Calf do to left and right, apart from the delay and the clipping.
struct StereoTools {
  private let mode: String
  private let balanceIn: Double
  private let balanceOut: Double
  private let middle: Double
  private let side: Double
  private let middlePan: Double
  private let sideBalance: Double
  private let polarity: (Double, Double)
  private let base: Double
  private let angle: Double

  init(_ plugin: EasyEffectsPlugin) {
    let factor = { (key: String) in pow(10, plugin.number(key, 0) / 20) }
    mode = plugin.settings["mode"]?.text ?? "LR > LR"
    balanceIn = plugin.number("balance-in", 0)
    balanceOut = plugin.number("balance-out", 0)
    middle = factor("middle-level")
    side = factor("side-level")
    middlePan = plugin.number("middle-panorama", 0)
    sideBalance = plugin.number("side-balance", 0)
    let sign = { (side: String) in
      (plugin.flag("mute\(side)") ? 0.0 : 1.0) * (plugin.flag("phase\(side)") ? -1.0 : 1.0)
    }
    polarity = (sign("l"), sign("r"))
    let width = plugin.number("stereo-base", 0)
    base = width < 0 ? width / 2 : width
    angle = plugin.number("stereo-phase", 0) / 180 * .pi
  }

  /// What comes before the delay.
  func before(_ input: (Double, Double)) -> (Double, Double) {
    let (left, right) = moded(Self.balanced(input, balanceIn))
    return (left * polarity.0, right * polarity.1)
  }

  /// What comes after the delay.
  func after(_ input: (Double, Double)) -> (Double, Double) {
    let wide = (
      input.0 * (1 + base) - input.1 * base, input.1 * (1 + base) - input.0 * base
    )
    let turned = (
      wide.0 * cos(angle) - wide.1 * sin(angle), wide.0 * sin(angle) + wide.1 * cos(angle)
    )
    return Self.balanced(turned, balanceOut)
  }

  private static func balanced(_ input: (Double, Double), _ balance: Double) -> (Double, Double) {
    (input.0 * (1 - max(0, balance)), input.1 * (1 + min(0, balance)))
  }

  private func moded(_ input: (Double, Double)) -> (Double, Double) {
    let (left, right) = input
    switch mode.prefix(while: { $0 != "(" }).filter({ $0 != " " }) {
    case "LR>MS":
      let (turned, kept) = (left * min(1, 1 - sideBalance), right * min(1, 1 + sideBalance))
      return ((turned + kept) / 2 * middle, (turned - kept) / 2 * side)
    case "MS>LR": return decoded(left, right)
    case "LR>LL": return (left, left)
    case "LR>RR": return (right, right)
    case "LR>L+R": return ((left + right) / 2, (left + right) / 2)
    case "LR>RL": return decoded((left + right) / 2, (right - left) / 2)
    default: return decoded((left + right) / 2, (left - right) / 2)
    }
  }

  /// Left and right of the middle and the sides, each with its level and place.
  private func decoded(_ middleSignal: Double, _ sideSignal: Double) -> (Double, Double) {
    let (middleSignal, sideSignal) = (middleSignal * middle, sideSignal * side)
    return (
      middleSignal * min(1, 1 - middlePan) + sideSignal * min(1, 1 - sideBalance),
      middleSignal * min(1, 1 + middlePan) - sideSignal * min(1, 1 + sideBalance)
    )
  }
}
