/// The effects of a program that processes all channels alike.
protocol EffectsProgram {
  var name: String { get }
  /// What stands between two effects.
  var separator: String { get }
  /// The effects of a step; nil for one that the program does not have.
  func effects(_ step: ExportStep, sampleRate: Double) -> [String]?
}

/// Writes effects of sox or filters of ffmpeg.
struct EffectsExport {
  private let reader: ExportReader
  private let program: any EffectsProgram

  init(_ reader: ExportReader, _ program: any EffectsProgram) {
    (self.reader, self.program) = (reader, program)
  }

  func text() -> String {
    let effects = reader.parts.flatMap { part in
      part.steps.flatMap { step, channels -> [String] in
        guard channels == nil else {
          part.source.turn(.notPossible("\(program.name) processes all channels alike"))
          return []
        }
        guard let made = program.effects(step, sampleRate: reader.sampleRate) else {
          part.refuse(step, program.name)
          return []
        }
        return made
      }
    }
    return effects.joined(separator: program.separator) + "\n"
  }
}

struct SoxProgram: EffectsProgram {
  let name = "sox"
  let separator = " "

  func effects(_ step: ExportStep, sampleRate: Double) -> [String]? {
    switch step {
    case .filter(let filter):
      return filter.sections.map { self.filter($0, sampleRate) }
    case .gain(let level, let isInverted):
      guard isInverted || level < -200 else { return ["gain \(plain(level))"] }
      return ["vol \(level < -200 ? 0 : -factor(decibels: level))"]
    case .delay(let seconds): return ["delay \(plain(seconds)) \(plain(seconds))"]
    case .routes(let outputs):
      let words = outputs.map { routes in
        routes.isEmpty
          ? "0" : routes.map { "\($0.channel + 1)v\(plain($0.factor))" }.joined(separator: ",")
      }
      return ["remix -m \(words.joined(separator: " "))"]
    case .section(let section): return [Self.section(section)]
    case .compressor(let compressor): return compand(compressor)
    case .limiter, .impulse, .curve: return nil
    }
  }

  private func filter(_ filter: ExportFilter, _ sampleRate: Double) -> String {
    let (frequency, q) = (plain(filter.frequency), "\(plain(filter.q))q")
    guard filter.order == 2 else {
      return Self.section(Cookbook.coefficients(filter, sampleRate: sampleRate))
    }
    return switch filter.kind {
    case .lowPass: "lowpass \(frequency) \(q)"
    case .highPass: "highpass \(frequency) \(q)"
    case .bandPass: "bandpass \(frequency) \(q)"
    case .notch: "bandreject \(frequency) \(q)"
    case .allPass: "allpass \(frequency) \(q)"
    case .peak: "equalizer \(frequency) \(q) \(plain(filter.gain))"
    case .lowShelf: "bass \(plain(filter.gain)) \(frequency) \(q)"
    case .highShelf: "treble \(plain(filter.gain)) \(frequency) \(q)"
    }
  }

  private static func section(_ section: Coefficients) -> String {
    let numbers = [section.b, section.a].flatMap { side in
      (0..<3).map { side.indices.contains($0) ? "\(side[$0])" : "0" }
    }
    return "biquad \(numbers.joined(separator: " "))"
  }

  private func compand(_ compressor: ExportCompressor) -> [String] {
    // The output for an input of 0 dB.
    let end = compressor.threshold * (1 - 1 / compressor.ratio)
    let times = "\(plain(compressor.attack)),\(plain(compressor.release))"
    let bend = plain(compressor.threshold)
    let curve = "\(plain(compressor.knee)):-90,-90,\(bend),\(bend),0,\(plain(rounded(end)))"
    return ["compand \(times) \(curve) \(plain(compressor.makeup))"]
  }
}

struct FFmpegProgram: EffectsProgram {
  let name = "ffmpeg"
  let separator = ","

  func effects(_ step: ExportStep, sampleRate: Double) -> [String]? {
    switch step {
    case .filter(let filter):
      return filter.sections.map { self.filter($0, sampleRate) }
    case .gain(let level, let isInverted):
      guard isInverted || level < -200 else { return ["volume=\(plain(level))dB"] }
      return level < -200
        ? ["volume=0"] : ["volume=\(plain(level))dB", "pan=stereo|c0=-1*c0|c1=-1*c1"]
    case .delay(let seconds): return ["adelay=\(plain(rounded(seconds * 1000))):all=1"]
    case .routes(let outputs):
      let layouts = [1: "mono", 2: "stereo", 6: "5.1"]
      guard let layout = layouts[outputs.count] else { return nil }
      let sums = outputs.enumerated().map { index, routes in
        "c\(index)="
          + (routes.isEmpty
            ? "0*c0" : routes.map { "\(plain($0.factor))*c\($0.channel)" }.joined(separator: "+"))
      }
      return ["pan=\(([layout] + sums).joined(separator: "|"))"]
    case .section(let section): return [Self.section(section)]
    case .compressor(let compressor): return [self.compressor(compressor)]
    case .limiter(let ceiling, let release, let lookahead):
      let values = [
        "limit=\(factor(decibels: ceiling))", "attack=\(plain(lookahead * 1000))",
        "release=\(plain(release * 1000))", "level=0",
      ]
      return ["alimiter=\(values.joined(separator: ":"))"]
    case .impulse, .curve: return nil
    }
  }

  private func filter(_ filter: ExportFilter, _ sampleRate: Double) -> String {
    guard filter.order == 2 else {
      return Self.section(Cookbook.coefficients(filter, sampleRate: sampleRate))
    }
    let width = "f=\(plain(filter.frequency)):t=q:w="
    let q = plain(filter.q)
    // ffmpeg's shelves take a Q that is smaller by the root of two.
    let shelf = "\(width)\(plain(rounded(filter.q / 2.0.squareRoot()))):g=\(plain(filter.gain))"
    return switch filter.kind {
    case .lowPass: "lowpass=\(width)\(q)"
    case .highPass: "highpass=\(width)\(q)"
    case .bandPass: "bandpass=\(width)\(q)"
    case .notch: "bandreject=\(width)\(q)"
    case .allPass: "allpass=\(width)\(q)"
    case .peak: "equalizer=\(width)\(q):g=\(plain(filter.gain))"
    case .lowShelf: "bass=\(shelf)"
    case .highShelf: "treble=\(shelf)"
    }
  }

  private static func section(_ section: Coefficients) -> String {
    let numbers = [("b", section.b), ("a", section.a)].flatMap { side, numbers in
      (0..<3).map { "\(side)\($0)=\(numbers.indices.contains($0) ? numbers[$0] : 0)" }
    }
    return "biquad=\(numbers.joined(separator: ":"))"
  }

  private func compressor(_ compressor: ExportCompressor) -> String {
    let values = [
      "threshold=\(factor(decibels: compressor.threshold))", "ratio=\(plain(compressor.ratio))",
      "knee=\(factor(decibels: compressor.knee))", "attack=\(plain(compressor.attack * 1000))",
      "release=\(plain(compressor.release * 1000))",
      "makeup=\(factor(decibels: compressor.makeup))",
    ]
    return "acompressor=\(values.joined(separator: ":"))"
  }
}
