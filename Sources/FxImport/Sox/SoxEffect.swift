import FxNodes

/// An effect of sox.
struct SoxEffect {
  let name: String
  let arguments: [String]
  let effect: Effect

  /// The names of sox 14.4.2.
  static let names: Set<String> = [
    "allpass", "band", "bandpass", "bandreject", "bass", "bend", "biquad", "channels", "chorus",
    "compand", "contrast", "dcshift", "deemph", "delay", "dither", "divide", "downsample",
    "earwax", "echo", "echos", "equalizer", "fade", "fir", "firfit", "flanger", "gain",
    "highpass", "hilbert", "input", "ladspa", "loudness", "lowpass", "mcompand", "noiseprof",
    "noisered", "norm", "oops", "output", "overdrive", "pad", "phaser", "pitch", "rate", "remix",
    "repeat", "reverb", "reverse", "riaa", "silence", "sinc", "spectrogram", "speed", "splice",
    "stat", "stats", "stretch", "swap", "synth", "tempo", "treble", "tremolo", "trim", "upsample",
    "vad", "vol",
  ]

  /// True for an effect that speaks of channels.
  var namesChannels: Bool {
    ["remix", "channels", "delay", "swap", "oops", "earwax"].contains(name)
  }

  func add(to path: inout SignalPath) {
    switch name {
    case "remix", "channels", "swap", "oops": mix(&path)
    case "delay": delay(&path)
    default: effect.append(nodes(), of: "sox", to: &path)
    }
  }

  /// The nodes for all channels; empty for an effect that is refused, and for one that does nothing.
  private func nodes() -> [Node] {
    switch name {
    case "highpass": pass(.highPass)
    case "lowpass": pass(.lowPass)
    case "bandpass": bandPass()
    case "bandreject": band(.notch, .hertz)
    case "allpass": allPass()
    case "equalizer": equalizer()
    case "bass": shelf(.lowShelf, 100)
    case "treble": shelf(.highShelf, 3000)
    case "band": resonator()
    case "biquad": coefficients()
    case "fir": taps()
    case "gain": gain()
    case "vol": volume()
    case "norm": [Normalize(id: id, level: .decibels(number(0) ?? 0)).node]
    case "echo": echo()
    case "tremolo": tremolo()
    case "chorus": chorus()
    case "flanger": flanger()
    case "phaser": phaser()
    case "overdrive": overdrive()
    case "reverb": reverb()
    case "compand": compand()
    case "pitch": pitch()
    case "earwax": earwax()
    default: refused()
    }
  }

  // MARK: Arguments

  var id: String { effect.importing.id(name) }

  /// The arguments: options by themselves, others by their place.
  static func options(of name: String, _ arguments: some Sequence<String>) -> EffectOptions {
    let hasOrder = ["highpass", "lowpass", "allpass"].contains(name)
    var options: [String: String] = [:]
    var place = 0
    for argument in arguments {
      // `-n`, but not `-3`, which only these effects take as an option.
      let isWord = argument.hasPrefix("-") && argument.dropFirst().first?.isLetter == true
      if isWord || hasOrder && ["-1", "-2"].contains(argument) {
        options[argument] = ""
      } else {
        options["\(place)"] = argument
        place += 1
      }
    }
    return EffectOptions(options)
  }

  func has(_ option: String) -> Bool { effect.options[option] != nil }

  func value(_ index: Int) -> String? { effect.options["\(index)"] }

  /// A number, or a frequency with `k`; nil where there is none.
  func number(_ index: Int) -> Double? { effect.options.number("\(index)", Self.number) }

  /// All arguments as numbers; nil if one is none.
  func numbers() -> [Double]? {
    effect.options.ignoreAll()
    let numbers = arguments.compactMap { Double($0) }
    return numbers.count == arguments.count ? numbers : nil
  }

  static func number(_ text: String) -> Double? {
    let isThousands = text.hasSuffix("k")
    guard let number = Double(isThousands ? String(text.dropLast()) : text), number.isFinite else {
      return nil
    }
    return isThousands ? number * 1000 : number
  }

  func refuse(_ reason: String) -> [Node] {
    effect.refuse(reason)
    return []
  }

  private func refused() -> [Node] {
    switch name {
    case "trim", "fade", "pad", "repeat", "reverse", "silence", "vad", "splice", "rate", "speed",
      "tempo", "stretch", "dither":
      let option = [
        "trim": "--start and --duration", "fade": "--fade-in and --fade-out", "pad": "--pad",
        "repeat": "--repeat", "reverse": "--reverse", "silence": "--cut-silence",
        "vad": "--cut-silence", "splice": "a schedule of a player", "rate": "--sample-rate",
        "speed": "'speed' of a source", "tempo": "'speed' and 'keepPitch' of a source",
        "stretch": "'speed' and 'keepPitch' of a source", "dither": "--dither",
      ]
      return refuse("no node of a chain: use \(option[name] ?? "")")
    case "stat", "stats", "spectrogram":
      effect.source.turn(.translated("left out: 'fxrun stats' and 'fxrun plot' measure a file"))
      return []
    default:
      return refuse(
        Self.names.contains(name) ? "fxrun has no unit like it" : "sox 14.4.2 has no such effect")
    }
  }
}
