import FxNodes
import Glibc

/// A command of a macro.
struct AudacityEffect {
  let name: String
  let effect: Effect

  func add(to path: inout SignalPath) { effect.append(nodes(), of: "Audacity", to: &path) }

  private func nodes() -> [Node] {
    switch name {
    case "FilterCurve": curve()
    case "GraphicEq": curve()
    case "Amplify": [effect.gain(number("ratio") ?? 1)]
    case "Normalize": normalize()
    case "LoudnessNormalization": loudness()
    case "Invert": [Gain(id: id, gain: 0, invert: true).node]
    case "BassAndTreble": bassAndTreble()
    case "High-passFilter": pass(.highPass)
    case "Low-passFilter": pass(.lowPass)
    case "NotchFilter":
      similar(
        "the same frequency and Q",
        Notch(id: id, frequency: .hertz(number("frequency") ?? 60), q: number("q") ?? 1))
    case "Compressor": compressor()
    case "Limiter": limiter()
    case "Echo": echo()
    case "Reverb": reverb()
    case "ChangePitch": pitch()
    case "Phaser":
      similar(
        "the same rate with another filter", Phaser(id: id, rate: .hertz(number("freq") ?? 0.4)))
    case "NoiseReduction":
      similar("another method, which listens for the noise itself", Denoise(id: id))
    default: refused()
    }
  }

  private var id: String { effect.importing.id(name) }

  private func number(_ key: String) -> Double? {
    // Some languages write a comma.
    effect.options.number(key) { Double($0.replacing(",", with: ".")) }
  }

  private func flag(_ key: String) -> Bool? {
    effect.options[key].map { $0 == "1" || $0 == "true" }
  }

  private func refuse(_ reason: String) -> [Node] {
    effect.refuse(reason)
    return []
  }

  private func similar(_ text: String, _ node: some ChainNode) -> [Node] {
    effect.approximate(text)
    return [node.node]
  }

  private func refused() -> [Node] {
    let options = [
      "FadeIn": "--fade-in", "FadeOut": "--fade-out", "TruncateSilence": "--cut-silence",
      "Reverse": "--reverse", "Repeat": "--repeat", "Silence": "--pad",
      "ChangeTempo": "'speed' and 'keepPitch' of a source", "ChangeSpeed": "'speed' of a source",
      "ChangeSpeedAndPitch": "'speed' of a source", "StereoToMono": "the unit downmix",
    ]
    if let option = options[name] { return refuse("no node of a chain: use \(option)") }
    let management = [
      "Select", "Export", "Import", "Save", "Open", "Close", "New", "Undo", "Message",
    ]
    if management.contains(where: name.hasPrefix) {
      effect.source.turn(.translated("left out: the command line names input and output"))
      return []
    }
    return refuse("fxrun has no unit like it")
  }

  // MARK: Filters

  /// Levels at frequencies, on lines between them as fxrun draws them.
  private func curve() -> [Node] {
    effect.options.ignore("filterlength")
    var points: [(Double, Double)] = []
    while let frequency = number("f\(points.count)"), let level = number("v\(points.count)") {
      points.append((max(frequency, 0.5), level))
    }
    guard !points.isEmpty else { return refuse("it has no points") }
    points.sort { $0.0 < $1.0 }
    let text = points.map { "\(plain($0.0)) \(plain($0.1))" }.joined(separator: "; ")
    let isStraight = flag("interpolatelin") != true
    return similar(
      "the same levels at the points, with the phase of analog filters instead of a linear one"
        + (isStraight && effect.options["interpolationmethod"] == "B-spline"
          ? "; on lines between them, not on a spline" : ""),
      Equalizer(id: id, curve: text, curveLength: .long))
  }

  private func pass(_ kind: Equalizer.Band.Kind) -> [Node] {
    let steps = (effect.options["rolloff"] ?? "dB6").filter(\.isNumber)
    guard let rolloff = Int(steps), rolloff.isMultiple(of: 6), (6...48).contains(rolloff) else {
      return refuse("a slope is 6 to 48 dB an octave")
    }
    let band = Equalizer.Band(
      type: kind, order: rolloff / 6, frequency: .hertz(number("frequency") ?? 1000))
    return similar("a Butterworth filter of this slope", Equalizer(id: id, bands: [band]))
  }

  private func bassAndTreble() -> [Node] {
    let bands = [
      Equalizer.Band(type: .lowShelf, frequency: 250, gain: .decibels(number("bass") ?? 0), q: 0.5),
      Equalizer.Band(
        type: .highShelf, frequency: 4000, gain: .decibels(number("treble") ?? 0), q: 0.5),
    ]
    let gain = number("gain") ?? 0
    return similar(
      "shelves at 250 Hz and 4 kHz",
      Equalizer(id: id, gain: gain == 0 ? nil : .decibels(gain), bands: bands))
  }

  // MARK: Levels

  private func normalize() -> [Node] {
    var nodes: [Node] = []
    if flag("removedcoffset") == true {
      nodes.append(DCBlock(id: effect.importing.id("dc")).node)
      effect.approximate("a constant offset is taken out by a filter at 5 Hz")
    }
    if flag("stereoindependent") == true { effect.approximate("both channels by one gain") }
    if flag("applygain") != false {
      nodes.append(Normalize(id: id, level: .decibels(number("peaklevel") ?? -1)).node)
    }
    return nodes
  }

  private func loudness() -> [Node] {
    // 0 is loudness, 1 the root mean square.
    guard effect.options["normalizeto"] ?? "0" == "0" else {
      return refuse("fxrun measures loudness, not the root mean square: --loudness")
    }
    return similar(
      "the same loudness, with a ceiling of fxrun's own",
      Loudness(id: id, target: .lufs(number("lufslevel") ?? -23)))
  }

  private func compressor() -> [Node] {
    effect.approximate("the same threshold, ratio and times; other curves")
    var nodes = [
      Compressor(
        id: id, threshold: .decibels(number("threshold") ?? -12), ratio: number("ratio") ?? 2,
        knee: number("kneewidth").map { .decibels($0) },
        attack: .seconds(min(max(number("attacktime") ?? 0.2, 0.0001), 1)),
        release: .seconds(min(max(number("releasetime") ?? 1, 0.005), 5)),
        makeup: number("makeupgain").map { .decibels($0) },
        detector: flag("usepeak") == true ? .peak : .rms
      ).node
    ]
    if flag("normalize") == true {
      nodes.append(Normalize(id: effect.importing.id("normalize"), level: 0).node)
    }
    return nodes
  }

  private func limiter() -> [Node] {
    let before = number("gain-l") ?? number("gainl") ?? 0
    let ceiling = number("thresh") ?? number("thresholddb") ?? -3
    effect.approximate("the same ceiling; other curves")
    return
      (before == 0 ? [] : [Gain(id: effect.importing.id("gain"), gain: .decibels(before)).node])
      + [Limiter(id: id, ceiling: .decibels(ceiling)).node]
  }

  // MARK: Time

  /// Echoes that repeat, each quieter by the decay.
  private func echo() -> [Node] {
    let (time, decay) = (number("delay") ?? 1, number("decay") ?? 0.5)
    guard decay >= 0, decay < 1 else { return refuse("its echoes do not fade") }
    // y = x + decay · y later: the delayed sound and its repeats, all at the level of the decay.
    let delay = Delay(
      id: id, time: .seconds(rounded(time)), feedback: .percent(rounded(decay * 100)),
      highCut: 20000, lowCut: 10, wet: .percent(rounded(decay / (1 + decay) * 100)))
    return [delay.node, effect.gain(1 + decay)]
  }

  private func reverb() -> [Node] {
    let share = (number("reverberance") ?? 50) / 100
    let wet = factor(decibels: number("wetgain") ?? -1) * 0.25
    return similar(
      "a room of fxrun's own that is about as long",
      Reverb(
        id: id, decay: .seconds(rounded(0.3 + 3 * share * share)),
        preDelay: .milliseconds(min(max(number("delay") ?? 10, 0), 250)),
        size: .percent(min(max(number("roomsize") ?? 75, 30), 200)),
        wet: flag("wetonly") == true ? 1 : .percent(rounded(min(wet * 100, 100)))))
  }

  private func pitch() -> [Node] {
    guard let percent = number("percentage"), percent > -100 else {
      return refuse("it needs a change in percent")
    }
    return similar(
      "the same shift, made in another way",
      Pitch(id: id, shift: .semitones(rounded(12 * log2(1 + percent / 100)))))
  }
}
