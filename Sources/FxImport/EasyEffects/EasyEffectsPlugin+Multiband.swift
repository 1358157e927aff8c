import FxNodes

extension EasyEffectsPlugin {
  /// The multiband compressor of LSP Plugins, or in version 6 the one of Calf.
  func multibandCompressor() -> EasyEffectsNodes? {
    settings["band0"] == nil ? calfMultiband() : lspMultiband()
  }

  // MARK: LSP Plugins

  private func lspMultiband() -> EasyEffectsNodes? {
    let all = (0..<8).compactMap { settings["band\($0)"] }
    let used = all.enumerated().filter {
      $0.offset == 0 || $0.element["enable-band"]?.flag ?? ($0.offset < 4)
    }
    .map(\.element)
    for band in all where !used.contains(where: { $0 === band }) {
      band.turn(.translated("left out: the band is not enabled"))
    }
    guard used.count <= 5 else { return refuse("fxrun's multiband compressor has up to 5 bands") }
    guard used.count > 1 else { return refuse("fxrun's multiband compressor has at least 2 bands") }
    turn(
      ["compressor-mode"],
      .approximated("fxrun's crossovers are Linkwitz-Riley filters, 24 dB an octave"))
    if let boost = settings["envelope-boost"]?.text, boost != "None" {
      turn(["envelope-boost"], .notPossible("fxrun's detectors hear the bands as they are"))
    }
    if flag("stereo-split") {
      turn(["stereo-split"], .approximated("fxrun turns both channels down alike"))
    }
    settleRouting()
    let sorted = used.dropFirst().sorted { split($0) < split($1) }
    let hasSolo = used.contains { $0["solo"]?.flag == true }
    let order = [used[0]] + sorted
    let bands = order.enumerated().map { index, band in
      lspBand(band, upTo: index + 1 < order.count ? split(order[index + 1]) : nil, hasSolo)
    }
    return mixed(Multiband(id: importing.id(name), bands: bands))
  }

  private func split(_ band: SourceValue) -> Double {
    limited(band["split-frequency"]?.number ?? 1000, 10...20000, band["split-frequency"])
  }

  private func lspBand(_ band: SourceValue, upTo: Double?, _ hasSolo: Bool) -> Multiband.Band {
    let isOn = band["compressor-enable"]?.flag ?? true
    let mode = band["compression-mode"]?.text ?? "Downward"
    let isDown = mode == "Downward"
    if isOn, !isDown {
      band["compression-mode"]?.turn(
        .notPossible("fxrun's multiband compressor does not raise what is quiet"))
    }
    let isSilent = band["mute"]?.flag ?? false || hasSolo && band["solo"]?.flag != true
    band["solo"]?.settle()
    settleDetector(of: band)
    let value = { (key: String, otherwise: Double) in band[key]?.number ?? otherwise }
    let threshold = value("attack-threshold", -12) - value("sidechain-preamp", 0)
    let times = ["attack-time", "release-time"].map { key in
      let time = value(key, key == "attack-time" ? 20 : 100) / 1000 * Self.timeFactor
      band[key]?.turn(.approximated("the same speed at a step, on a curve of fxrun's own"))
      return time
    }
    return Multiband.Band(
      upTo: upTo.map { .hertz($0) },
      threshold: .decibels(limited(threshold, -60...0, band["attack-threshold"])),
      ratio: ratio(value("ratio", 1), band["ratio"], isOn && isDown),
      knee: .decibels(limited(abs(value("knee", -6)) * 2, 0...24, band["knee"])),
      attack: .seconds(limited(times[0], 0.0001...1, band["attack-time"])),
      release: .seconds(limited(times[1], 0.005...5, band["release-time"])),
      makeup: isOn ? .decibels(limited(value("makeup", 0), -24...36, band["makeup"])) : 0,
      mute: isSilent ? true : nil)
  }

  private func ratio(_ ratio: Double, _ source: SourceValue?, _ isOn: Bool) -> Double {
    let ratio = limited(ratio, 1...100, source)
    return isOn ? ratio : 1
  }

  private func settleDetector(of band: SourceValue) {
    for key in ["sidechain-mode", "sidechain-reactivity"] {
      band[key]?.settle(.approximated("fxrun takes the peak"))
    }
    if band["sidechain-source"]?.text != "Max" {
      band["sidechain-source"]?.turn(.approximated("fxrun measures the loudest channel"))
    }
    band["stereo-split-source"]?.settle(.translated("the channels are measured together"))
    if let type = band["sidechain-type"]?.text, type != "Internal" {
      band["sidechain-type"]?.turn(
        .notPossible("fxrun's multiband compressor measures its own input"))
    }
    if band["external-sidechain"]?.flag == true {
      band["external-sidechain"]?.turn(
        .notPossible("fxrun's multiband compressor measures its own input"))
    }
    if (band["sidechain-lookahead"]?.number ?? 0) > 0 {
      band["sidechain-lookahead"]?.turn(
        .notPossible("fxrun's multiband compressor has no look-ahead"))
    }
    for kind in ["low", "high"] {
      let frequency = band["sidechain-\(kind)cut-frequency"]
      guard band["sidechain-custom-\(kind)cut-filter"]?.flag == true else {
        frequency?.settle(.translated("the filter is off"))
        continue
      }
      for part in [band["sidechain-custom-\(kind)cut-filter"], frequency] {
        part?.turn(.notPossible("fxrun's detectors hear the bands as they are"))
      }
    }
    if (band["release-threshold"]?.number ?? -100) > -80 {
      band["release-threshold"]?.turn(
        .approximated("fxrun releases in the release time down to the end"))
    }
    for key in ["boost-threshold", "boost-amount"] {
      band[key]?.settle(.translated("of the other modes"))
    }
  }

  // MARK: Calf

  private func calfMultiband() -> EasyEffectsNodes? {
    guard settings["freq0"] != nil else { return refuse("the preset has no bands of it") }
    let isSteep = settings["mode"]?.text != "LR4"
    let hasSolo = (0..<4).contains { flag("solo\($0)") }
    let edges = (0..<3).map { number("freq\($0)", [120, 1000, 6000][$0]) }
    let bands = (0..<4).map { index in
      let isOn = !flag("bypass\(index)")
      if settings["detection\(index)"]?.text == "RMS" {
        turn(["detection\(index)"], .approximated("fxrun takes the peak"))
      }
      let times = ["attack\(index)", "release\(index)"].map { key in
        let time = number(key, 150) / 1000
        turn([key], .approximated("the same time, on a curve of fxrun's own"))
        return time
      }
      return Multiband.Band(
        upTo: index < 3 ? .hertz(edges[index]) : nil,
        threshold: .decibels(number("threshold\(index)", -12, in: -60...0)),
        ratio: isOn ? number("ratio\(index)", 2, in: 1...100) : 1,
        knee: .decibels(number("knee\(index)", 9, in: 0...24)),
        attack: .seconds(limited(times[0], 0.0001...1, settings["attack\(index)"])),
        release: .seconds(limited(times[1], 0.005...5, settings["release\(index)"])),
        makeup: isOn ? .decibels(number("makeup\(index)", 0, in: -24...36)) : 0,
        mute: hasSolo && !flag("solo\(index)") ? true : nil)
    }
    for index in 0..<4 {
      for key in ["ratio", "makeup"] {
        settle(["\(key)\(index)"], .translated("the band is bypassed"))
      }
    }
    return EasyEffectsNodes(Multiband(id: importing.id(name), order: isSteep ? 8 : 4, bands: bands))
  }
}
