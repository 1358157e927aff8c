import FxNodes
import Glibc

extension EasyEffectsPlugin {
  /// - Parameter sides: the keys of the two channels, which are fxrun's names of them as well.
  func equalizer(_ sides: [String]) -> EasyEffectsNodes? {
    settleEqualizer()
    let isSplit = flag("split-channels")
    let pitches = sides.map { number("pitch-\($0)", 0) }
    let isAlike = !isSplit && pitches[0] == pitches[1]
    let count = settings["num-bands"]?.integer ?? 32
    var bands = EqualizerBands()
    for (index, side) in sides.enumerated() {
      let source = isSplit ? settings[side] : settings[sides[0]]
      if index == 1, isAlike { continue }
      read(
        source, count, pitch: exp2(pitches[index] / 12), channels: isAlike ? nil : side,
        into: &bands)
    }
    if !isSplit {
      settings[sides[1]]?.turn(.translated("left out: split-channels is off"))
    }
    addBalance(to: &bands)
    return nodes(bands)
  }

  private func settleEqualizer() {
    if let mode = settings["mode"]?.text, mode != "IIR" {
      settings["mode"]?.turn(
        .approximated(
          "fxrun's bands have the same levels, with the phases of IIR filters and without latency"))
    }
    if let decramp = settings["decramp"]?.text, decramp != "Off" {
      settings["decramp"]?.turn(
        .approximated("the bands are squeezed towards half the rate, as they are without 'decramp'")
      )
    }
  }

  private func read(
    _ channel: SourceValue?, _ count: Int, pitch: Double, channels: String?,
    into bands: inout EqualizerBands
  ) {
    let members = channel?.members ?? []
    // A band may be there that is not in use.
    let isUsed = { (key: String) in Int(key.dropFirst("band".count)).map { $0 < count } ?? false }
    let hasSolo = members.contains { isUsed($0.key) && $0.value["solo"]?.flag == true }
    for (key, source) in members where key.hasPrefix("band") {
      guard isUsed(key) else {
        source.turn(.translated("left out: the equalizer has \(count) bands"))
        continue
      }
      let isSilent = source["mute"]?.flag ?? false || hasSolo && source["solo"]?.flag != true
      guard let filter = filter(source, pitch) else { continue }
      guard !isSilent, filter.type != "Off" else {
        source.turn(.translated("left out: the band is off, muted or not in solo"))
        continue
      }
      if filter.isNeutral {
        source.turn(.translated("left out: 0 dB change nothing"))
        continue
      }
      guard let made = filter.bands() else {
        source.turn(
          .notPossible("LSP's all-pass of this kind with a q changes levels; fxrun's does not"))
        continue
      }
      noteLimits(filter, source)
      bands.add(
        made, named: channels.map { "\($0)-\(key)" } ?? key, channels: channels, filter.isMatched)
    }
  }

  /// The filter of a band; nil for one of an unknown type.
  private func filter(_ source: SourceValue, _ pitch: Double) -> LSPFilter? {
    let type = source["type"]?.text ?? "Bell"
    let mode = source["mode"]?.text ?? "RLC (BT)"
    guard LSPFilter.types.contains(type), let (family, isMatched) = LSPFilter.family(mode),
      let slope = LSPFilter.slope(source["slope"])
    else {
      source.turn(.notPossible("EasyEffects has no filter of this type, mode and slope"))
      return nil
    }
    if !LSPFilter.usesWidth(type) {
      source["width"]?.settle(.translated("a filter of this type has no width"))
    }
    if !LSPFilter.usesGain(type) {
      source["gain"]?.settle(.translated("a filter of this type has no gain"))
    }
    return LSPFilter(
      type: type, family: family, isMatched: isMatched && type != "Allpass",
      slope: slope,
      frequency: (source["frequency"]?.number ?? 1000) * pitch, width: source["width"]?.number ?? 4,
      gain: source["gain"]?.number ?? 0, quality: source["q"]?.number ?? 0,
      sampleRate: importing.sampleRate)
  }

  /// Says where a filter is not the same.
  func noteLimits(_ filter: LSPFilter, _ source: SourceValue) {
    if filter.isMatched {
      source["mode"]?.turn(.approximated(LSPFilter.matchedDifference))
    }
    if filter.type == "Allpass", filter.family == .rlc, !filter.slope.isMultiple(of: 2) {
      source["type"]?.turn(
        .approximated("the same levels and delays; LSP turns the polarity as well"))
    }
    if filter.frequency > 0.49 * filter.sampleRate {
      source["frequency"]?.settle(.translated("0.49 of the rate, as LSP limits it"))
    }
    let isLimited = (filter.bands() ?? []).contains { band in
      band.fields.keys.contains {
        $0.key == "q" && ($0.value == .number(0.1) || $0.value == .number(40))
      }
    }
    if isLimited {
      source["q"]?.turn(.approximated("the q of fxrun's bands ends at 0.1 and 40"))
    }
  }

  /// LSP turns one side down and the other up: a balance of 20 is 80 % and 120 %.
  func addBalance(to bands: inout EqualizerBands) {
    let balance = number("balance", 0)
    guard balance != 0 else { return }
    for (side, factor) in [("left", 1 - balance / 100), ("right", 1 + balance / 100)] {
      let level = factor > 0.004 ? decibels(factor) : -48
      if level == -48 { settings["balance"]?.turn(.approximated("-48 dB stand for silence")) }
      bands.add(
        [Equalizer.Band(type: .level, gain: .decibels(rounded(level)))], named: "balance-\(side)",
        channels: side, false)
    }
  }

  /// An equalizer for the usual filters, and one for those of the matched Z-transform.
  func nodes(_ bands: EqualizerBands) -> EasyEffectsNodes {
    var parts: [EasyEffectsNodes.Part] = []
    let isMixed = !bands.usual.isEmpty && !bands.matched.isEmpty
    if !bands.usual.isEmpty || bands.matched.isEmpty {
      let node = Equalizer(id: importing.id(name), bands: bands.usual)
      parts.append(EasyEffectsNodes.Part(node: node.node, channels: nil))
    }
    if !bands.matched.isEmpty {
      let id = importing.id(isMixed ? "\(name)-matched" : name)
      let node = Equalizer(id: id, response: .analog, bands: bands.matched)
      parts.append(EasyEffectsNodes.Part(node: node.node, channels: nil))
    }
    return EasyEffectsNodes(parts)
  }
}

/// The bands of an equalizer, by the way in which their filters are made.
struct EqualizerBands {
  private(set) var usual: [Equalizer.Band] = []
  private(set) var matched: [Equalizer.Band] = []

  mutating func add(
    _ bands: [Equalizer.Band], named name: String, channels: String?, _ isMatched: Bool
  ) {
    for (index, band) in bands.enumerated() {
      var band = band
      band.fields.id = index == 0 ? name : "\(name)-\(index + 1)"
      if let channels { band.fields.set("channels", channels) }
      if isMatched { matched.append(band) } else { usual.append(band) }
    }
  }
}

extension LSPFilter {
  static let types: Set<String> = [
    "Off", "Bell", "Hi-pass", "Hi-shelf", "Lo-pass", "Lo-shelf", "Notch", "Resonance", "Allpass",
    "Bandpass", "Ladder-pass", "Ladder-rej",
  ]

  static let matchedDifference =
    "the levels of the analog filter, as far as fxrun keeps them; LSP's matched Z-transform is within 0.1 dB of "
    + "it below 10 kHz, a low-pass up to 1.3 dB above it there and 5.3 dB at 20 kHz (at 48 kHz)"
}
