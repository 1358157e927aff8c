import FxNodes
import Glibc

extension EasyEffectsPlugin {
  /// The filter of LSP Plugins, or in version 6 the one of Calf.
  func filter() -> EasyEffectsNodes? { settings["type"] == nil ? calfFilter() : lspFilter() }

  private func lspFilter() -> EasyEffectsNodes? {
    let names = [
      "Low-pass": "Lo-pass", "High-pass": "Hi-pass", "Low-shelf": "Lo-shelf",
      "High-shelf": "Hi-shelf", "Band-pass": "Bandpass", "Ladder-rejection": "Ladder-rej",
      "All-pass": "Allpass",
    ]
    let given = settings["type"]?.text ?? ""
    let type = names[given] ?? given
    guard LSPFilter.types.contains(type),
      let (family, isMatched) = LSPFilter.family(settings["mode"]?.text ?? ""),
      let slope = LSPFilter.slope(settings["slope"])
    else { return refuse("EasyEffects has no filter of this type, mode and slope") }
    if let mode = settings["equal-mode"]?.text, mode != "IIR" {
      turn(
        ["equal-mode"],
        .approximated("the same levels, with the phases of IIR filters and without latency"))
    }
    if let decramp = settings["decramp"]?.text, decramp != "Off" {
      turn(["decramp"], .approximated("squeezed towards half the rate, as without 'decramp'"))
    }
    if !LSPFilter.usesWidth(type) {
      settle(["width"], .translated("a filter of this type has no width"))
    }
    if !LSPFilter.usesGain(type) {
      settle(["gain"], .translated("a filter of this type has no gain"))
    }
    let filter = LSPFilter(
      type: type, family: family, isMatched: isMatched && type != "Allpass",
      slope: slope,
      frequency: number("frequency", 2000), width: number("width", 4), gain: number("gain", 0),
      quality: number("quality", 0), sampleRate: importing.sampleRate)
    guard let made = filter.bands() else {
      return refuse("LSP's all-pass of this kind with a quality changes levels; fxrun's does not")
    }
    noteLimits(filter, settings)
    var bands = EqualizerBands()
    bands.add(made, named: "filter", channels: nil, filter.isMatched)
    addBalance(to: &bands)
    return nodes(bands)
  }

  /// Up to three filters of the Audio EQ Cookbook with the same settings.
  ///
  /// Source: Calf 0.90, `biquad_filter_module`.
  private func calfFilter() -> EasyEffectsNodes? {
    let mode = settings["mode"]?.text ?? ""
    let steepness = Int(mode.prefix { $0.isNumber }) ?? 0
    let resonance = pow(10, number("resonance", -3) / 20)
    let frequency = number("frequency", 2000)
    settle(["inertia"], .translated("how fast the filter follows a knob"))
    let kind: Equalizer.Band.Kind
    let count: Int
    switch mode.split(separator: " ").last {
    case "Lowpass": (kind, count) = (.lowPass, steepness / 12)
    case "Highpass": (kind, count) = (.highPass, steepness / 12)
    case "Bandpass": (kind, count) = (.bandPass, steepness / 6)
    case "Bandreject": (kind, count) = (.notch, steepness / 6)
    default: return refuse("EasyEffects has no filter of this mode")
    }
    guard (1...3).contains(count) else { return refuse("EasyEffects has no filter of this mode") }
    let q = kind == .notch ? Double(count) * 0.1 * resonance : pow(resonance, 1 / Double(count))
    if !(0.1...40).contains(q) {
      turn(["resonance"], .approximated("the q of fxrun's bands ends at 0.1 and 40"))
    }
    let band = Equalizer.Band(
      type: kind, frequency: .hertz(frequency), q: rounded(min(max(q, 0.1), 40)))
    return EasyEffectsNodes(
      Equalizer(id: importing.id(name), bands: Array(repeating: band, count: count)))
  }

  // MARK: Harmonics

  /// The exciter of Calf.
  func exciter() -> EasyEffectsNodes? {
    turn(["harmonics"], .approximated("fxrun's drive, 2 dB for each step"))
    settle(
      ["blend", "ceil", "ceil-active"],
      .approximated("harmonics of both kinds, up to half the rate"))
    refuse(flag: "listen", "fxrun's exciter has no output for its harmonics alone")
    turn(
      ["amount", "scope"],
      .approximated("the level and the frequency of harmonics from a curve of fxrun's own"))
    let drive = limited(number("harmonics", 8.5) * 2, 0...36, nil)
    return EasyEffectsNodes(
      Exciter(
        id: importing.id(name), frequency: .hertz(number("scope", 7500, in: 500...12000)),
        drive: .decibels(drive), amount: .decibels(min(number("amount", 0), 6))))
  }

  func bassEnhancer() -> EasyEffectsNodes? {
    refuse("fxrun's exciter adds harmonics from 500 Hz on: it has no unit for those of the bass")
  }

  func loudness() -> EasyEffectsNodes? {
    refuse("fxrun has no filter for the loudness at a volume")
  }

  /// The crusher of Calf.
  func crusher() -> EasyEffectsNodes? {
    settle(
      ["mode", "morph", "anti-aliasing", "dc"],
      .approximated("fxrun rounds to even steps, without filters"))
    refuse(flag: "lfo-active", "fxrun's bitcrusher holds its rate: connect an lfo to it")
    settle(["lfo-range", "lfo-rate"], .translated("of the lfo"))
    turn(["sample-reduction"], .approximated("as a rate, of \(Int(importing.sampleRate)) Hz"))
    let rate = importing.sampleRate / max(number("sample-reduction", 1), 1)
    return EasyEffectsNodes(
      Bitcrusher(
        id: importing.id(name), bits: .init(number("bit-reduction", 4, in: 1...24)),
        rate: .hertz(rounded(rate))))
  }
}
