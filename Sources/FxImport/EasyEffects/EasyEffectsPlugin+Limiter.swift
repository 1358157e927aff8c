import FxNodes

extension EasyEffectsPlugin {
  /// The limiter of LSP Plugins, or in version 6 the one of Calf.
  func limiter() -> EasyEffectsNodes? {
    if let limit = settings["limit"]?.number { return calfLimiter(limit) }
    let threshold = number("threshold", 0)
    let oversampling = settings["oversampling"]?.text ?? "None"
    let isTrue = oversampling.hasPrefix("True Peak")
    if !isTrue, oversampling != "None" {
      turn(["oversampling"], .approximated("fxrun measures the peaks of the samples"))
    }
    if let dithering = settings["dithering"]?.text, dithering != "None" {
      turn(
        ["dithering"],
        .approximated("fxrun adds dither where it writes 16 bits: \"dither\" of the sink"))
    }
    refuse("sidechain-preamp", unless: 0, "fxrun's limiter measures the signal as loud as it is")
    refuse(flag: "external-sidechain", "fxrun's limiter measures its own input")
    if let type = settings["sidechain-type"]?.text, type != "Internal" {
      turn(["sidechain-type"], .notPossible("fxrun's limiter measures its own input"))
    }
    settleRouting()
    let keys = ["alr-attack", "alr-release", "alr-knee", "alr-knee-smooth"]
    if flag("alr") {
      turn(
        ["alr"] + keys, .approximated("fxrun's limiter levels lasting loudness in its release time")
      )
    } else {
      settle(keys, .translated("alr is off"))
    }
    turn(
      ["mode", "attack"],
      .approximated("the same ceiling; the gain moves on a curve of fxrun's own"))
    let nodes = limiter(
      threshold, lookahead: number("lookahead", 5), release: number("release", 5), isTrue,
      link: number("stereo-link", 100))
    // LSP raises the limited signal so that the threshold becomes 0 dB.
    return flag("gain-boost", true) ? raised(nodes, by: -threshold) : nodes
  }

  private func calfLimiter(_ limit: Double) -> EasyEffectsNodes {
    if flag("asc") {
      turn(
        ["asc", "asc-level"],
        .approximated("fxrun's limiter releases single peaks faster by itself"))
    } else {
      settle(["asc-level"], .translated("asc is off"))
    }
    if number("oversampling", 1) > 1 {
      turn(["oversampling"], .approximated("fxrun measures the peaks of the samples"))
    }
    let nodes = limiter(
      limit, lookahead: number("lookahead", 5), release: number("release", 50), false, link: 100)
    return flag("auto-level") ? raised(nodes, by: -limit) : nodes
  }

  /// ZaMaximX2: the threshold is raised to 0 dB before the ceiling.
  func maximizer() -> EasyEffectsNodes? {
    let threshold = number("threshold", 0)
    let ceiling = number("ceiling", 0)
    turn(
      ["threshold"],
      .approximated("the same gain and ceiling; the gain moves on a curve of fxrun's own"))
    var nodes = limiter(ceiling, lookahead: 1, release: number("release", 25), false, link: 100)
    nodes.before -= threshold
    return nodes
  }

  // MARK: Parts

  private func limiter(
    _ ceiling: Double, lookahead: Double, release: Double, _ isTrue: Bool, link: Double
  ) -> EasyEffectsNodes {
    turn(
      ["release"], .approximated("fxrun releases single peaks in 6 ms, lasting levels in this time")
    )
    // Below fxrun's range the signal is raised before the limiter and lowered after it.
    let shift = max(-24 - ceiling, 0)
    let node = Limiter(
      id: importing.id(name), ceiling: .decibels(min(ceiling + shift, 0)),
      release: .seconds(limited(release / 1000, 0.001...2, settings["release"])),
      lookahead: .seconds(limited(lookahead / 1000, 0.0005...0.02, settings["lookahead"])),
      truePeak: isTrue, link: link == 100 ? nil : .percent(link))
    var nodes = EasyEffectsNodes(node)
    nodes.before = shift
    nodes.after = -shift
    return nodes
  }

  private func raised(_ nodes: EasyEffectsNodes, by level: Double) -> EasyEffectsNodes {
    var nodes = nodes
    nodes.after += level
    return nodes
  }

  private func flag(_ key: String, _ otherwise: Bool) -> Bool { settings[key]?.flag ?? otherwise }
}
