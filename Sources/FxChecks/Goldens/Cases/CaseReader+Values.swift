import FxAudio
import FxChain
import FxUnits

/// The values of a case file.
extension CaseReader {
  /// The path of a file in a case, relative to the current folder.
  mutating func file(_ value: JSONValue, _ name: String) -> String? {
    guard let path = text(value), !path.isEmpty, !path.utf8.contains(0) else {
      report(.invalidValue, "'\(name)' names no file", value.place)
      return nil
    }
    return ChainFile.path(path, relativeTo: value.place.source.path)
  }

  mutating func expectation(_ value: JSONValue) -> TestCase.Expectation? {
    guard let path = file(value, "expect") else { return nil }
    let lower = path.lowercased()
    if lower.hasSuffix(".golden.json") { return .manifest(path) }
    if lower.hasSuffix(".wav") || lower.hasSuffix(".flac") { return .sound(path) }
    report(
      .invalidValue, "a golden is a WAV file, a FLAC file or a manifest", value.place,
      hints: ["its name ends in .wav, .flac or .golden.json"])
    return nil
  }

  mutating func input(_ value: JSONValue, _ name: String) -> TestCase.Input? {
    if value.kind == .string { return file(value, name).map { .file($0) } }
    guard value.kind == .object else {
      report(
        .wrongType, "'\(name)' is a sound file or a signal, not \(value.kindName)", value.place)
      return nil
    }
    return signal(value).map { .signal($0) }
  }

  mutating func tolerance(_ value: JSONValue) -> Tolerance? {
    let spec = CaseFormat.tolerance
    if value.kind == .object {
      guard let fields = fields(value, spec) else { return nil }
      let tolerance = Tolerance(
        peak: number(fields, "peak", of: spec), rms: number(fields, "rms", of: spec),
        spectral: number(fields, "spectral", of: spec))
      if value.members.allSatisfy({ $0.key.string == "comment" }) {
        report(
          .missingKey, "a tolerance needs one of 'peak', 'rms', 'spectral'", value.place,
          hints: ["no tolerance at all is written \"exact\""])
      }
      return tolerance
    }
    if text(value)?.lowercased() == "exact" { return .exact }
    guard let peak = spec.key("peak") else { return nil }
    let key = KeySpec("tolerance", peak.shape, peak.summary)
    return number(value, of: key).map { Tolerance(peak: $0) }
  }

  /// Names and values in the notation of `--set` and `--define`.
  mutating func values(_ object: JSONValue?) -> [(String, String)] {
    var values: [(String, String)] = []
    for (key, value) in object?.members ?? [] {
      guard let name = key.string, let raw = raw(value) else { continue }
      switch raw.value {
      case .number(let number): values.append((name, shortNumber(number)))
      case .text(let text), .fractionOfBeat(let text): values.append((name, text))
      case .flag(let flag): values.append((name, flag ? "true" : "false"))
      }
    }
    return values
  }

  // MARK: Signals

  private mutating func signal(_ value: JSONValue) -> TestSignal? {
    let spec = CaseFormat.signal
    guard let fields = fields(value, spec) else { return nil }
    guard let name = fields["signal"], let word = text(name) else { return nil }
    let kinds = TestSignal.Kind.allCases
    guard let kind = kinds.first(where: { $0.rawValue.lowercased() == word.lowercased() }) else {
      let names = kinds.map(\.rawValue)
      report(
        .unknownSignal, "there is no signal '\(word)'", name.place,
        hints: Suggestion.hint(for: word, in: names) + ["one of: \(names.joined(separator: ", "))"])
      return nil
    }
    var signal = TestSignal(kind)
    signal.level = number(fields, "level", of: spec) ?? signal.level
    signal.frequency = number(fields, "frequency", of: spec) ?? signal.frequency
    signal.from = number(fields, "from", of: spec) ?? signal.from
    signal.to = number(fields, "to", of: spec) ?? signal.to
    signal.start = number(fields, "start", of: spec) ?? signal.start
    signal.seed = integer(fields, "seed", of: spec).map { UInt64($0) } ?? signal.seed
    for entry in fields.known where entry.name != "signal" && entry.name != "comment" {
      guard !kind.keys.contains(entry.name) else { continue }
      let others = kinds.filter { $0.keys.contains(entry.name) }.map { "'\($0.rawValue)'" }
      report(
        .conflictingKeys,
        "'\(entry.name)' goes with \(others.joined(separator: ", ")), not with '\(kind.rawValue)'",
        entry.key.place)
    }
    if kind == .sweep, signal.from >= signal.to, let bound = fields["from"] ?? fields["to"] {
      report(
        .outOfRange,
        "a sweep rises, and this one goes from \(shortNumber(signal.from)) Hz to "
          + "\(shortNumber(signal.to)) Hz", bound.place)
    }
    return signal
  }
}

extension TestSignal.Kind {
  /// The keys of a case file that describe a signal of this kind.
  var keys: Set<String> {
    switch self {
    case .silence: []
    case .impulse: ["level", "start"]
    case .tone, .bursts: ["level", "frequency"]
    case .sweep: ["level", "from", "to"]
    case .noise, .pinkNoise, .brownNoise, .blueNoise, .violetNoise, .programme: ["level", "seed"]
    }
  }
}

extension TestSignal {
  /// The highest frequency that the signal names.
  var highestFrequency: Double? {
    switch kind {
    case .tone, .bursts: frequency
    case .sweep: to
    default: nil
    }
  }
}
