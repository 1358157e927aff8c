import FxChain

/// Writes a configuration of Equalizer APO.
struct EqualizerAPOExport {
  private let reader: ExportReader

  init(_ reader: ExportReader) { self.reader = reader }

  func text() -> String {
    var lines = ["# From \(reader.path)"]
    var chosen: [Int]?
    for part in reader.parts {
      lines.append("# \(part.id)")
      for (step, channels) in part.steps {
        guard let made = commands(step, part) else {
          part.refuse(step, "Equalizer APO")
          continue
        }
        if channels != chosen {
          let numbers = channels?.map { String($0 + 1) }.joined(separator: " ")
          lines.append("Channel: \(numbers ?? "all")")
          chosen = channels
        }
        lines += made
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The lines of a step; nil for one that Equalizer APO does not have.
  private func commands(_ step: ExportStep, _ part: ExportReader.Part) -> [String]? {
    switch step {
    case .filter(let filter): filters(filter)
    case .gain(let level, let isInverted):
      isInverted || level < -200 ? nil : ["Preamp: \(plain(level)) dB"]
    case .delay(let seconds): ["Delay: \(plain(rounded(seconds * 1000))) ms"]
    case .routes(let outputs): copy(outputs)
    case .impulse(let file, let gain):
      ["Convolution: \(file)"] + (gain == 0 ? [] : ["Preamp: \(plain(gain)) dB"])
    case .section(let coefficients): section(coefficients)
    case .curve(let points): ["GraphicEQ: \(points.trimmed)"]
    case .compressor, .limiter: nil
    }
  }

  private func filters(_ filter: ExportFilter) -> [String]? {
    let names: [ExportFilter.Kind: String] = [
      .peak: "PK", .lowPass: "LPQ", .highPass: "HPQ", .lowShelf: "LSC", .highShelf: "HSC",
      .bandPass: "BP", .notch: "NO", .allPass: "AP",
    ]
    var lines: [String] = []
    for section in filter.sections {
      guard section.order == 2, let name = names[section.kind] else {
        let made = Cookbook.coefficients(section, sampleRate: reader.sampleRate)
        lines += self.section(made) ?? []
        continue
      }
      let gain =
        [.peak, .lowShelf, .highShelf].contains(section.kind)
        ? " Gain \(plain(section.gain)) dB" : ""
      lines.append(
        "Filter: ON \(name) Fc \(plain(section.frequency)) Hz\(gain) Q \(plain(section.q))")
    }
    return lines
  }

  private func section(_ coefficients: Coefficients) -> [String]? {
    let order = max(coefficients.b.count, coefficients.a.count) - 1
    guard order > 0 else {
      return ["Preamp: \(plain(decibels(abs(coefficients.b[0] / coefficients.a[0])))) dB"]
    }
    let numbers = [coefficients.b, coefficients.a].flatMap { side in
      (0...order).map { side.indices.contains($0) ? "\(side[$0])" : "0" }
    }
    return ["Filter: ON IIR Order \(order) Coefficients \(numbers.joined(separator: " "))"]
  }

  private func copy(_ outputs: [[(channel: Int, factor: Double)]]) -> [String]? {
    let names = ["L", "R", "C", "LFE", "RL", "RR", "SL", "SR"]
    guard outputs.count == reader.width, outputs.count <= names.count else { return nil }
    let assignments = outputs.enumerated().map { index, routes in
      let sum = routes.map { "\(plain($0.factor))*\(names[$0.channel])" }
      return "\(names[index])=\(sum.isEmpty ? "0" : sum.joined(separator: "+"))"
    }
    return ["Copy: \(assignments.joined(separator: " "))"]
  }
}
