import FxChain
import FxNodes

/// A filter of ffmpeg with its options.
struct FFmpegFilter {
  let name: String
  let effect: Effect

  init(_ description: String, _ source: SourceValue, _ importing: Importing) {
    let text = description.trimmed
    let end = text.firstIndex(of: "=") ?? text.endIndex
    name = String(text[..<end]).trimmed
    var options: [String: String] = [:]
    let rest = end < text.endIndex ? String(text[text.index(after: end)...]) : ""
    for (index, part) in Self.split(rest, at: ":").enumerated() {
      let end = part.firstIndex(of: "=")
      // `pan=stereo|c0=c1` has a sign of its own.
      if let end, part[..<end].allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) {
        options[String(part[..<end])] = Self.plain(String(part[part.index(after: end)...]))
      } else {
        options["\(index)"] = Self.plain(part)
      }
    }
    effect = Effect(source: source, options: EffectOptions(options), importing: importing)
  }

  /// Splits at a character outside of quotation marks and brackets, and not behind a backslash.
  static func split(_ text: String, at separator: Character) -> [String] {
    var parts = [""]
    var isQuoted = false
    var isEscaped = false
    var depth = 0
    for character in text {
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "'" {
        isQuoted.toggle()
      } else if !isQuoted, character == "(" {
        depth += 1
      } else if !isQuoted, character == ")" {
        depth -= 1
      } else if !isQuoted, depth == 0, character == separator {
        parts.append("")
        continue
      }
      parts[parts.count - 1].append(character)
    }
    return parts.map(\.trimmed).filter { !$0.isEmpty }
  }

  private static func plain(_ text: String) -> String {
    text.filter { $0 != "'" && $0 != "\\" }
  }

  // MARK: Options

  /// The value of an option by one of its names, or by its place.
  func text(_ names: String..., at place: Int? = nil) -> String? {
    key(names, place).flatMap { effect.options[$0] }
  }

  /// A number with a prefix of its unit: `1k`, `-6dB`; nil where there is none.
  func number(_ names: String..., at place: Int? = nil) -> Double? {
    key(names, place).flatMap { effect.options.number($0, Self.number) }
  }

  /// The name under which an option is given.
  private func key(_ names: [String], _ place: Int?) -> String? {
    (names + (place.map { ["\($0)"] } ?? [])).first { effect.options[$0] != nil }
  }

  static func number(_ text: String) -> Double? {
    if text.lowercased().hasSuffix("db") {
      return Double(text.dropLast(2)).map { factor(decibels: $0) }
    }
    let isThousands = text.hasSuffix("k")
    guard let number = Double(isThousands ? String(text.dropLast()) : text), number.isFinite else {
      return nil
    }
    return isThousands ? number * 1000 : number
  }

  var id: String { effect.importing.id(name) }

  func refuse(_ reason: String) -> [Node] {
    effect.refuse(reason)
    return []
  }

  // MARK: Nodes

  var namesChannels: Bool {
    ["pan", "adelay", "channelmap", "extrastereo", "crossfeed", "stereowiden"].contains(name)
  }

  func add(to path: inout SignalPath) {
    guard !name.hasPrefix("["), !effect.source.path.contains(";") else {
      return effect.refuse("a graph with labels: fxrun imports a list of filters")
    }
    switch name {
    case "pan": pan(&path)
    case "adelay": delay(&path)
    default: effect.append(nodes(), of: "ffmpeg", to: &path)
    }
  }

  private func nodes() -> [Node] {
    switch name {
    case "highpass": pass(.highPass, 3000)
    case "lowpass": pass(.lowPass, 500)
    case "bandpass": bandPass()
    case "bandreject": filter(.notch)
    case "allpass": allPass()
    case "equalizer": filter(.peak)
    case "bass", "lowshelf": shelf(.lowShelf, 100)
    case "treble", "highshelf": shelf(.highShelf, 3000)
    case "biquad": coefficients()
    case "volume": volume()
    case "aecho": echo()
    case "acompressor": compressor()
    case "agate": gate()
    case "alimiter": limiter()
    case "loudnorm": loudness()
    case "tremolo": tremolo()
    case "vibrato": vibrato()
    case "flanger": flanger()
    case "aphaser": phaser()
    case "crossfeed": crossfeed()
    case "extrastereo": width()
    case "acrusher": crusher()
    case "deesser": deEsser()
    case "rubberband": pitch()
    case "arnndn", "afftdn": denoise()
    default: others()
    }
  }

  private func others() -> [Node] {
    switch name {
    case "anull", "asetnsamples", "asetpts", "ashowinfo", "astats", "volumedetect", "ebur128",
      "silencedetect":
      effect.source.turn(.translated("left out: it does not change the sound"))
      return []
    case "aformat", "aresample":
      effect.approximate("fxrun's --sample-rate and --bits choose the format of the file")
      return []
    case "atrim", "afade", "apad", "aloop", "areverse", "silenceremove", "atempo", "asetrate":
      let option = [
        "atrim": "--start and --duration", "afade": "--fade-in and --fade-out", "apad": "--pad",
        "aloop": "--repeat", "areverse": "--reverse", "silenceremove": "--cut-silence",
        "atempo": "'speed' and 'keepPitch' of a source", "asetrate": "'speed' of a source",
      ]
      return refuse("no node of a chain: use \(option[name] ?? "")")
    case "asplit", "amix", "amerge", "join", "afir", "sidechaincompress", "sidechaingate":
      return refuse("a graph with several inputs or outputs: write its connections in the chain")
    default: return refuse("fxrun has no unit like it")
    }
  }
}
