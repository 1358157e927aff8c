/// How a written sound is split into several files.
public enum SplitRule: Sendable, Hashable {
  case silence
  /// At the chapters of the file.
  case chapters
  /// Parts of this length in seconds.
  case every(seconds: Double)
  /// Times in seconds, sorted.
  case times([Double])
  /// Parts of at most this number of bytes.
  case size(bytes: Int)

  /// Allowed lengths of a part in seconds.
  package static let lengths = 0.1...1e9
  /// Allowed sizes in bytes. The minimum exists because an encoder holds back some of its input.
  package static let sizes = 1_000_000...(1 << 50)
  /// The largest number of cuts in a list.
  package static let timeLimit = 10_000

  /// The allowed forms, for messages.
  package static let forms =
    "silence, chapters, a length such as 10min, a size such as 100MB, or times such as 1:30,4:05"

  /// `silence`, `chapters`, `10 min`, `100 MB`, `1:30, 4:05`; nil for anything else.
  public init?(_ text: String) {
    let text = text.filter { $0 != " " }.lowercased()
    switch text {
    case "silence": self = .silence
    case "chapters": self = .chapters
    default:
      if text.contains(":") || text.contains(",") {
        guard let times = SplitRule.times(text) else { return nil }
        self = .times(times)
      } else if let bytes = SplitRule.number(text, SplitRule.sizeUnits) {
        guard SplitRule.sizes.contains(Int(exactly: bytes.rounded()) ?? 0) else { return nil }
        self = .size(bytes: Int(bytes.rounded()))
      } else if let seconds = SplitRule.number(text, SplitRule.lengthUnits) {
        guard SplitRule.lengths.contains(seconds) else { return nil }
        self = .every(seconds: seconds)
      } else {
        return nil
      }
    }
  }

  /// The rule as a user writes it.
  package var text: String {
    switch self {
    case .silence: "silence"
    case .chapters: "chapters"
    case .every(let seconds): "\(seconds) s"
    case .times(let times): times.map { "0:\($0)" }.joined(separator: ", ")
    case .size(let bytes): "\(bytes) B"
    }
  }

  private static let lengthUnits: [(String, Double)] = [
    ("min", 60), ("ms", 0.001), ("s", 1), ("h", 3600),
  ]
  private static let sizeUnits: [(String, Double)] = [
    ("kib", 0x1p10), ("mib", 0x1p20), ("gib", 0x1p30), ("kb", 1e3), ("mb", 1e6), ("gb", 1e9),
    ("b", 1),
  ]

  private static func number(_ text: String, _ units: [(String, Double)]) -> Double? {
    guard let (unit, factor) = units.first(where: { text.hasSuffix($0.0) }),
      let number = Double(text.dropLast(unit.count)), number.isFinite
    else { return nil }
    return number * factor
  }

  private static func times(_ text: String) -> [Double]? {
    var times: [Double] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let time = ClockText.seconds(word), time > times.last ?? 0, times.count < timeLimit
      else {
        return nil
      }
      times.append(time)
    }
    return times
  }
}

/// The rule as options of a sink.
extension SplitRule {
  package static let specs =
    [
      OptionSpec(
        "split",
        "Writes several files, and names them by `{n}` and `{title}`: `silence`, `chapters`, every "
          + "`\"10 min\"`, at most `\"100 MB\"`, or at times, `\"1:30, 4:05\"`.", .text,
        default: nil)
    ] + SilenceRule.specs(keep: "all of it with a split, 0.2 s with a cut")

  package init?(_ options: [String: OptionValue]) {
    guard case .text(let text)? = options["split"] else { return nil }
    self.init(text)
  }

  static func conflict(_ options: [String: OptionValue]) -> OptionConflict? {
    let rule = SplitRule(options)
    if options["split"] != nil, rule == nil {
      return OptionConflict(
        "split", concernsOthers: false, "'split' cannot be read", hint: "write \(forms)")
    }
    return rule == .silence
      ? nil : SilenceRule.conflict(options, needs: "\"split\": \"silence\"")
  }
}
