import FxNodes
import Glibc

/// A plugin of a preset: `compressor#0`, or `compressor` in version 6.
struct EasyEffectsPlugin {
  let name: String
  let settings: SourceValue
  let importing: Importing

  init(_ name: String, _ settings: SourceValue, _ importing: Importing) {
    (self.name, self.settings, self.importing) = (name, settings, importing)
  }

  /// Adds the plugin's nodes, with its gains before and after them.
  func add(to path: inout SignalPath) {
    let isOff = settings["bypass"]?.flag ?? false
    let input = settings["input-gain"]?.number ?? 0
    let output = settings["output-gain"]?.number ?? 0
    guard let made = nodes() else { return }
    var parts = made.parts
    if let gain = gain(input + made.before, "input") { parts.insert(gain, at: 0) }
    if let gain = gain(output + made.after, "output") { parts.append(gain) }
    let finished = parts.map { part in
      EasyEffectsNodes.Part(
        node: part.node.comment("EasyEffects: \(name)").bypassed(isOff), channels: part.channels)
    }
    for part in finished {
      if let mistake = importing.mistake(of: part.node, channels: part.channels?.count ?? 2) {
        return settings.turn(.notPossible(mistake))
      }
    }
    for part in finished { path.append(part.node, on: part.channels ?? [0, 1]) }
  }

  private func gain(_ level: Double, _ place: String) -> EasyEffectsNodes.Part? {
    guard level != 0 else { return nil }
    let gain = Gain(id: importing.id("\(name)-\(place)"), gain: .decibels(rounded(level)))
    return EasyEffectsNodes.Part(node: gain.node, channels: nil)
  }

  /// The nodes of the plugin; nil for one that is not possible.
  private func nodes() -> EasyEffectsNodes? {
    switch name.split(separator: "#").first.map(String.init) ?? name {
    case "autogain": autogain()
    case "bass_enhancer": bassEnhancer()
    case "bass_loudness": refuse("fxrun has no filter for loudness at a low volume")
    case "compressor": compressor()
    case "convolver": convolver()
    case "crossfeed": crossfeed()
    case "crusher": crusher()
    case "crystalizer": refuse("fxrun has no unit that sharpens a sound in bands")
    case "deepfilternet": deepFilter()
    case "deesser": deEsser()
    case "delay": delay()
    case "echo_canceller": echoCanceller()
    case "equalizer": equalizer(["left", "right"])
    case "exciter": exciter()
    case "expander": expander()
    case "filter": filter()
    case "gate": gate()
    case "level_meter": EasyEffectsNodes(Meter(id: importing.id(name)))
    case "limiter": limiter()
    case "loudness": loudness()
    case "maximizer": maximizer()
    case "midside_equalizer": equalizer(["mid", "side"])
    case "multiband_compressor": multibandCompressor()
    case "multiband_gate": refuse("fxrun has no gate in bands")
    case "pitch": pitch()
    case "reverb": reverb()
    case "rnnoise": rnNoise()
    case "speex": speex()
    case "stereo_tools": stereoTools()
    case "autotune": refuse("fxrun has no unit that corrects a pitch to a scale")
    case "crosstalk_canceller", "lcc": refuse("fxrun has no unit for crosstalk cancellation")
    case "immersive_surround": refuse("fxrun has no unit of this kind")
    case "karaoke", "voice_suppressor": refuse("fxrun has no unit that takes a voice out of a mix")
    default: refuse("EasyEffects 6 to 8 has no plugin of this name")
    }
  }

  // MARK: For the plugins

  func refuse(_ reason: String) -> EasyEffectsNodes? {
    settings.turn(.notPossible(reason))
    return nil
  }

  func number(_ key: String, _ otherwise: Double) -> Double { settings[key]?.number ?? otherwise }

  func flag(_ key: String) -> Bool { settings[key]?.flag ?? false }

  /// Gives keys an outcome that do not have one yet.
  func settle(_ keys: [String], _ outcome: ImportOutcome = .translated) {
    for key in keys { settings[key]?.settle(outcome) }
  }

  /// Gives keys this outcome.
  func turn(_ keys: [String], _ outcome: ImportOutcome) {
    for key in keys { settings[key]?.turn(outcome) }
  }

  /// Refuses a switch that is on.
  func refuse(flag key: String, _ reason: String) {
    if flag(key) { settings[key]?.turn(.notPossible(reason)) }
  }

  /// Refuses a number that is not the neutral one.
  func refuse(_ key: String, unless neutral: Double, _ reason: String) {
    if number(key, neutral) != neutral { settings[key]?.turn(.notPossible(reason)) }
  }

  /// A number within the range of fxrun's parameter.
  ///
  /// - Parameter scale: fxrun's unit in units of the preset's number.
  func number(
    _ key: String, _ otherwise: Double, in range: ClosedRange<Double>, scale: Double = 1
  ) -> Double {
    limited(number(key, otherwise) * scale, range, settings[key])
  }

  func limited(_ value: Double, _ range: ClosedRange<Double>, _ source: SourceValue?) -> Double {
    let kept = min(max(value, range.lowerBound), range.upperBound)
    if kept != value { source?.turn(.approximated("fxrun's range ends at \(plain(kept))")) }
    return rounded(kept)
  }

  /// Adds what `dry` and `wet` say: levels in decibels, of which one stands for silence below -80 dB.
  func mixed(_ node: some ChainNode, dry: Double = -100, after: Double = 0) -> EasyEffectsNodes {
    let factor = { (level: Double) in level <= -80 ? 0 : pow(10, level / 20) }
    let direct = factor(number("dry", dry))
    let processed = factor(number("wet", 0))
    let sum = direct + processed
    guard sum > 0 else {
      return EasyEffectsNodes(Gain(id: importing.id(name), gain: .silence))
    }
    let level = after + (sum == 1 ? 0 : decibels(sum))
    guard direct > 0 else { return EasyEffectsNodes(node, after: level) }
    return EasyEffectsNodes(node.node.key("wet", .number(rounded(processed / sum))), after: level)
  }
}
