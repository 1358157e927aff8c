import FxNodes

extension EasyEffectsPlugin {
  func compressor() -> EasyEffectsNodes? {
    let mode = settings["mode"]?.text ?? "Downward"
    guard mode == "Downward" else {
      return refuse("fxrun's compressor turns down what is loud; it does not raise what is quiet")
    }
    settle(["boost-threshold", "boost-amount"], .translated("of the other modes"))
    settleReleaseThreshold()
    let detector = detector(hasRMS: true)
    let node = Compressor(
      id: importing.id(name), threshold: threshold(-12, -60...0, detector),
      ratio: number("ratio", 4, in: 1...100), knee: knee(),
      attack: time("attack", 20, in: 0.0001...1), release: time("release", 100, in: 0.005...5),
      makeup: makeup(-24...36), keyHighPass: detector.highPass?.hertz,
      keyLowPass: detector.lowPass?.hertz, detector: detector.isRMS ? .rms : .peak,
      rmsTime: detector.isRMS ? .seconds(detector.reactivity) : nil,
      lookahead: detector.lookahead.map { .seconds($0) }, link: detector.isLinked ? nil : false)
    return mixed(node)
  }

  func expander() -> EasyEffectsNodes? {
    let mode = settings["mode"]?.text ?? "Downward"
    guard mode == "Downward" else {
      return refuse("fxrun's expander turns down what is quiet; it does not raise what is loud")
    }
    settleReleaseThreshold()
    let detector = detector(hasRMS: false)
    noteLink(detector)
    let node = Expander(
      id: importing.id(name), threshold: threshold(-12, -80...0, detector),
      ratio: number("ratio", 4, in: 1...20), knee: knee(), range: 96,
      attack: time("attack", 20, in: 0.0001...0.5, factor: Self.wholeTimeFactor), hold: 0,
      release: time("release", 100, in: 0.005...5, factor: Self.wholeTimeFactor),
      keyHighPass: detector.highPass?.hertz, keyLowPass: detector.lowPass?.hertz,
      lookahead: detector.lookahead.map { .seconds($0) })
    return mixed(node, after: number("makeup", 0))
  }

  /// The gate of LSP Plugins, or in version 6 the one of Calf, which is an expander.
  func gate() -> EasyEffectsNodes? {
    settings["curve-threshold"] == nil && settings["ratio"] != nil ? calfGate() : lspGate()
  }

  private func lspGate() -> EasyEffectsNodes {
    let detector = detector(hasRMS: false)
    noteLink(detector)
    let threshold = limited(
      number("curve-threshold", -24) - detector.preamp, -80...0, settings["curve-threshold"])
    if number("curve-zone", -6) != 0 {
      settings["curve-zone"]?.turn(
        .approximated(
          "fxrun's gate opens at the threshold; LSP's opens by degrees in the zone below it"))
    }
    let isApart = flag("hysteresis")
    let hysteresis =
      isApart
      ? limited(-number("hysteresis-threshold", -12), 0...24, settings["hysteresis-threshold"]) : 0
    if isApart {
      settings["hysteresis-zone"]?.turn(
        .approximated("fxrun's gate closes at the threshold, not by degrees"))
    } else {
      settle(["hysteresis-threshold", "hysteresis-zone"], .translated("hysteresis is off"))
    }
    let reduction = number("reduction", -24)
    if reduction > 0 {
      settings["reduction"]?.turn(.notPossible("fxrun's gate does not raise a signal"))
    }
    let range = limited(max(-reduction, 0), 0...96, settings["reduction"])
    let node = Gate(
      id: importing.id(name), threshold: .decibels(threshold), hysteresis: .decibels(hysteresis),
      range: .decibels(range),
      attack: time("attack", 20, in: 0.0001...0.5, factor: Self.wholeTimeFactor), hold: 0,
      release: time("release", 100, in: 0.005...5), keyHighPass: detector.highPass?.hertz,
      keyLowPass: detector.lowPass?.hertz, lookahead: detector.lookahead.map { .seconds($0) })
    return mixed(node, after: number("makeup", 0))
  }

  private func calfGate() -> EasyEffectsNodes {
    if settings["detection"]?.text == "RMS" {
      turn(["detection"], .approximated("fxrun takes the peak"))
    }
    turn(["stereo-link"], .approximated("fxrun measures the loudest channel"))
    let node = Expander(
      id: importing.id(name), threshold: .decibels(number("threshold", -18, in: -80...0)),
      ratio: number("ratio", 2, in: 1...20), knee: .decibels(number("knee", 9, in: 0...24)),
      range: .decibels(number("range", -24, in: 0...96, scale: -1)),
      attack: time("attack", 20, in: 0.0001...0.5), hold: 0,
      release: time("release", 250, in: 0.005...5))
    return EasyEffectsNodes(node, after: number("makeup", 0))
  }

  // MARK: Parts

  /// A preamp of the detector is a lower threshold.
  private func threshold(
    _ otherwise: Double, _ range: ClosedRange<Double>, _ detector: Detector
  ) -> Level {
    .decibels(
      limited(number("threshold", otherwise) - detector.preamp, range, settings["threshold"]))
  }

  /// LSP's knee reaches as far to both sides of the threshold.
  private func knee() -> Level {
    .decibels(limited(abs(number("knee", -6)) * 2, 0...24, settings["knee"]))
  }

  private func makeup(_ range: ClosedRange<Double>) -> Level? {
    let makeup = number("makeup", 0, in: range)
    return makeup == 0 ? nil : .decibels(makeup)
  }

  private func settleReleaseThreshold() {
    guard number("release-threshold", -100) > -80 else { return }
    turn(["release-threshold"], .approximated("fxrun releases in the release time down to the end"))
  }

  private func noteLink(_ detector: Detector) {
    guard !detector.isLinked else { return }
    turn(["stereo-split"], .approximated("fxrun turns both channels down alike"))
  }
}
