/// Writes a configuration of CamillaDSP 3.
struct CamillaDSPExport {
  private let reader: ExportReader
  private var filters: [String] = []
  private var mixers: [String] = []
  private var processors: [String] = []
  private var pipeline: [String] = []
  private var width: Int

  init(_ reader: ExportReader) {
    self.reader = reader
    width = reader.width
    for part in reader.parts {
      for (index, entry) in part.steps.enumerated() {
        let name = part.steps.count == 1 ? part.id : "\(part.id)-\(index + 1)"
        add(entry.step, name, part, entry.channels)
      }
    }
  }

  func text() -> String {
    let rate = Int(reader.sampleRate)
    var lines = [
      "# From \(reader.path): choose your devices.", "devices:", "  samplerate: \(rate)",
      "  chunksize: 1024",
      "  capture: { type: Stdin, channels: \(reader.width), format: FLOAT32LE }",
      "  playback: { type: Stdout, channels: \(width), format: FLOAT32LE }",
    ]
    for (name, parts) in [("filters", filters), ("mixers", mixers), ("processors", processors)]
    where !parts.isEmpty {
      lines += ["\(name):"] + parts
    }
    lines += pipeline.isEmpty ? ["pipeline: []"] : ["pipeline:"] + pipeline
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: Steps

  private mutating func add(
    _ step: ExportStep, _ name: String, _ part: ExportReader.Part, _ channels: [Int]?
  ) {
    let given = channels ?? Array(0..<width)
    switch step {
    case .filter(let filter): add(filter, name, given)
    case .gain(let level, let isInverted):
      let gain = level < -200 ? "gain: 0, mute: true" : "gain: \(plain(level))"
      add("Gain", "\(gain), inverted: \(isInverted)", name, given)
    case .delay(let seconds):
      add("Delay", "delay: \(plain(rounded(seconds * 1000))), unit: ms", name, given)
    case .impulse(let file, let gain):
      add("Conv", "type: Wav, filename: \(Self.quoted(file))", name, given)
      if gain != 0 { add("Gain", "gain: \(plain(gain)), inverted: false", "\(name)-gain", given) }
    case .section(let section): add(section, name, given)
    case .routes(let outputs): mix(outputs, name)
    case .compressor(let compressor): process(compressor, name)
    case .limiter(let ceiling, let release, let lookahead):
      add(
        "LookaheadLimiter",
        "limit: \(plain(ceiling)), attack: \(plain(lookahead * 1000)), release: \(plain(release * 1000))",
        name, given)
    case .curve: part.refuse(step, "CamillaDSP")
    }
  }

  private mutating func add(
    _ type: String, _ parameters: String, _ name: String, _ channels: [Int]
  ) {
    filters.append("  \(name): { type: \(type), parameters: { \(parameters) } }")
    let numbers = channels.map(String.init).joined(separator: ", ")
    pipeline.append("  - { type: Filter, channels: [\(numbers)], names: [\(name)] }")
  }

  private mutating func add(_ filter: ExportFilter, _ name: String, _ channels: [Int]) {
    if filter.order > 2 {
      let kind = filter.kind == .lowPass ? "Lowpass" : "Highpass"
      add(
        "BiquadCombo",
        "type: Butterworth\(kind), freq: \(plain(filter.frequency)), order: \(filter.order)", name,
        channels)
      return
    }
    let type =
      switch filter.kind {
      case .peak: "Peaking"
      case .lowShelf: "Lowshelf"
      case .highShelf: "Highshelf"
      case .lowPass: "Lowpass"
      case .highPass: "Highpass"
      case .bandPass: "Bandpass"
      case .notch: "Notch"
      case .allPass: "Allpass"
      }
    let hasGain = [.peak, .lowShelf, .highShelf].contains(filter.kind)
    let parameters = [
      "type: \(type)\(filter.order == 1 ? "FO" : "")", "freq: \(plain(filter.frequency))",
      filter.order == 1 ? nil : "q: \(plain(filter.q))",
      hasGain ? "gain: \(plain(filter.gain))" : nil,
    ]
    add("Biquad", parameters.compactMap { $0 }.joined(separator: ", "), name, channels)
  }

  private mutating func add(_ section: Coefficients, _ name: String, _ channels: [Int]) {
    let value = { (side: [Double], index: Int) in
      (side.indices.contains(index) ? side[index] : 0) / section.a[0]
    }
    let numbers =
      (0..<3).map { "b\($0): \(value(section.b, $0))" }
      + (1..<3).map { "a\($0): \(value(section.a, $0))" }
    add("Biquad", "type: Free, \(numbers.joined(separator: ", "))", name, channels)
  }

  private mutating func mix(_ outputs: [[(channel: Int, factor: Double)]], _ name: String) {
    mixers += [
      "  \(name):", "    channels: { in: \(width), out: \(outputs.count) }", "    mapping:",
    ]
    for (index, routes) in outputs.enumerated() where !routes.isEmpty {
      let sources = routes.map { route in
        "{ channel: \(route.channel), gain: \(abs(route.factor)), scale: linear, "
          + "inverted: \(route.factor < 0) }"
      }
      mixers.append("      - { dest: \(index), sources: [\(sources.joined(separator: ", "))] }")
    }
    pipeline.append("  - { type: Mixer, name: \(name) }")
    width = outputs.count
  }

  private mutating func process(_ compressor: ExportCompressor, _ name: String) {
    let parameters = [
      "channels: \(width)", "attack: \(plain(compressor.attack))",
      "release: \(plain(compressor.release))", "threshold: \(plain(compressor.threshold))",
      "factor: \(plain(compressor.ratio))", "makeup_gain: \(plain(compressor.makeup))",
    ]
    processors.append(
      "  \(name): { type: Compressor, parameters: { \(parameters.joined(separator: ", ")) } }")
    pipeline.append("  - { type: Processor, name: \(name) }")
  }

  private static func quoted(_ text: String) -> String {
    "'\(text.replacing("'", with: "''"))'"
  }
}
