import FxNodes
import Glibc

extension EasyEffectsPlugin {
  /// The part of a time of LSP Plugins in which an exponential curve covers 63 %: LSP's covers 1 - √½ less.
  static let timeFactor = -1 / log(1 - 0.5.squareRoot())
  /// The same for 99 %.
  static let wholeTimeFactor = -log(100) / log(1 - 0.5.squareRoot())

  private static let timeDifference =
    "the same speed at a step; LSP smooths the level, fxrun the change of the gain in decibels"

  /// A time in milliseconds.
  func time(
    _ key: String, _ otherwise: Double, in range: ClosedRange<Double>, factor: Double = timeFactor
  ) -> Time {
    let value = number(key, otherwise) / 1000 * factor
    settings[key]?.turn(.approximated(Self.timeDifference))
    return .seconds(limited(value, range, settings[key]))
  }

  /// What a detector of LSP Plugins is set to.
  struct Detector {
    var isRMS = false
    /// Seconds.
    var reactivity = 0.01
    /// Seconds.
    var lookahead: Double?
    /// Decibels by which the detector hears a tone louder than fxrun's does: the preamp, less what its mean is below
    /// fxrun's measure.
    var preamp = 0.0
    var isLinked = true
    /// Hertz; nil for none.
    var highPass: Double?
    var lowPass: Double?
  }

  /// - Parameter hasRMS: whether fxrun's unit can measure the root mean square.
  func detector(hasRMS: Bool) -> Detector {
    let source = settings["sidechain"]
    var detector = Detector()
    detector.isLinked = !flag("stereo-split")
    readType(source?.first("type", "input"))
    let mode = source?["mode"]?.text ?? "RMS"
    detector.isRMS = mode != "Peak"
    if mode != "Peak", mode != "RMS" || !hasRMS {
      source?["mode"]?.turn(
        .approximated(
          hasRMS
            ? "fxrun takes the root mean square; alike for a tone"
            : "fxrun takes the peak; alike for a tone"))
    }
    detector.reactivity = limited(
      (source?["reactivity"]?.number ?? 10) / 1000, 0.001...1, source?["reactivity"])
    if detector.isRMS {
      source?["reactivity"]?.turn(
        .approximated(
          hasRMS ? "the time of an exponential mean; LSP's window is even" : "fxrun takes the peak")
      )
    }
    let lookahead = source?["lookahead"]?.number ?? 0
    detector.lookahead =
      lookahead > 0 ? limited(lookahead / 1000, 0...0.02, source?["lookahead"]) : nil
    detector.preamp =
      (source?["preamp"]?.number ?? 0) + Self.level(mode)
      - (hasRMS && detector.isRMS ? Self.level("RMS") : 0)
    if let which = source?["source"]?.text, which != "Max", detector.isLinked {
      source?["source"]?.turn(.approximated("fxrun measures the loudest channel"))
    }
    source?["stereo-split-source"]?.settle(
      .translated(detector.isLinked ? "stereo-split is off" : "each channel by itself"))
    detector.highPass = filter("hpf", 10...10000, off: 10)
    detector.lowPass = filter("lpf", 100...20000, off: 20000)
    settleRouting()
    return detector
  }

  /// The level that a mode measures for a tone with a peak of 0 dB.
  private static func level(_ mode: String) -> Double {
    switch mode {
    case "Peak": 0
    case "RMS": decibels(0.5.squareRoot())
    default: decibels(2 / .pi)
    }
  }

  private func readType(_ source: SourceValue?) {
    switch source?.text {
    case nil, "Feed-forward", "Internal": break
    case "Feed-back": source?.turn(.approximated("fxrun measures the input of the unit"))
    default:
      source?.turn(
        .notPossible(
          "fxrun measures the signal itself: connect another one to the input 'sidechain' of the node"
        ))
    }
  }

  /// The frequency of a filter of the detector; nil if it is off.
  private func filter(_ kind: String, _ range: ClosedRange<Double>, off: Double) -> Double? {
    let mode = settings["\(kind)-mode"]?.text ?? "off"
    let frequency = number("\(kind)-frequency", off)
    guard mode.lowercased() != "off" else {
      settings["\(kind)-frequency"]?.turn(.translated("the filter is off"))
      return nil
    }
    if !mode.hasPrefix("12") {
      settings["\(kind)-mode"]?.turn(.approximated("fxrun's filter falls 12 dB an octave"))
    }
    return limited(frequency, range, settings["\(kind)-frequency"])
  }

  /// Levels at which version 8 leads inputs, sidechains and links to each other: -80.01 dB is off.
  func settleRouting() {
    for key in [
      "input-to-sidechain", "input-to-link", "sidechain-to-input", "sidechain-to-link",
      "link-to-sidechain", "link-to-input",
    ] where number(key, -100) > -80 {
      settings[key]?.turn(
        .notPossible("fxrun has no such route: build it with the chain's connections"))
    }
    settle(["sidechain-input-device"], .translated("the sidechain is internal"))
  }
}

extension Double {
  /// The number as a frequency.
  var hertz: Frequency { .hertz(self) }
}
