import FxNodes

/// An input or an output of a chain setup: a file, a device, a loop.
struct EcasoundObject {
  enum Kind: Equatable {
    /// A file that fxrun reads or writes.
    case file(String)
    /// A device or a stream, which the command line of fxrun names.
    case device(String)
    case loop(String)
    case silence
    /// A sine: its frequency, and seconds; 0 for no end.
    case tone(Double, Double)
    /// What fxrun does not have, with the reason.
    case unknown(String)
  }

  let option: EcasoundOption
  let kind: Kind
  let channels: Int
  /// Seconds into the file at which it begins.
  var start: Double?
  private(set) var duration: Double?
  /// Seconds into the chain at which it begins.
  private(set) var at: Double?
  private(set) var isReversed = false
  private(set) var isLooped = false
  /// The format of samples without a header; nil for other inputs.
  private let raw: String?

  /// - Parameter raw: the format that samples without a header have.
  init(_ option: EcasoundOption, channels: Int, rate: Double, raw: String) {
    self.option = option
    self.channels = channels
    var words = option.arguments[...]
    // Wrappers stand before the object that they change.
    while let first = words.first, let count = Self.wrappers[first], words.count > count {
      let values = Array(words.dropFirst().prefix(count - 1))
      switch first {
      case "audioloop": isLooped = true
      case "reverse": isReversed = true
      case "select":
        (start, duration) = (Self.time(values[0], rate), Self.time(values[1], rate))
        if start == nil || duration == nil { option.refuse("it needs two times") }
      case "playat":
        at = Self.time(values[0], rate)
        if at == nil { option.refuse("it needs a time") }
      default: break
      }
      words = words.dropFirst(count)
    }
    kind = Self.kind(Array(words))
    self.raw =
      ["stdin", "-"].contains(words.first) || words.first?.hasSuffix(".raw") == true ? raw : nil
  }

  /// Words of each wrapper with its own values.
  private static let wrappers = [
    "audioloop": 1, "reverse": 1, "sndfile": 1, "audiofile": 1, "select": 3, "playat": 2,
    "resample": 2, "resample-hq": 2, "resample-lq": 2, "typeselect": 2,
  ]

  private static func kind(_ words: [String]) -> Kind {
    let name = words.first ?? ""
    switch name {
    case "": return .unknown("it names no file and no device")
    case "loop": return .loop(words.count > 1 ? words[1] : "")
    case "null", "/dev/null", "rtnull": return .silence
    case "tone":
      guard words.count > 2, words[1] == "sine", let frequency = Double(words[2]),
        (0.001...384_000).contains(frequency),
        let duration = words.count > 3 ? Double(words[3]) : 0,
        duration <= 0 || (0.001...86400).contains(duration)
      else { return .unknown("ecasound's tone is a sine with a frequency") }
      return .tone(frequency, max(duration, 0))
    case "alsa", "alsahw", "alsaplugin", "jack", "jack_alsa", "jack_auto", "jack_generic",
      "jack_multi", "arts", "oss", "stdin", "stdout", "-":
      return .device(words.joined(separator: ","))
    case "mikmod": return .unknown("fxrun reads no modules")
    default:
      if name.hasPrefix("/dev/") { return .device(name) }
      let last = name.split(separator: ".").last.map { $0.lowercased() } ?? ""
      if ["mid", "midi", "xm", "mod", "s3m", "it", "ewf", "cdr"].contains(last) {
        return .unknown("fxrun reads no '.\(last)' as a sound")
      }
      return .file(name)
    }
  }

  /// Seconds of `2.25` and `25000sa` (frames).
  private static func time(_ text: String, _ rate: Double) -> Double? {
    let isFrames = text.hasSuffix("sa")
    guard let number = Double(isFrames ? String(text.dropLast(2)) : text) else { return nil }
    let seconds = isFrames ? number / rate : number
    return (0...86400).contains(seconds) ? seconds : nil
  }

  /// A source of the main input.
  func mainInput(id: String) -> Source {
    Source.input(
      id: id, raw: raw, at: at.map { .seconds($0) }, start: start.map { .seconds($0) },
      duration: duration.map { .seconds($0) }, loop: isLooped ? .forever : nil,
      reverse: isReversed ? true : nil)
  }

  /// A source of a further file.
  func file(_ path: String, id: String) -> Source {
    Source.file(
      path, id: id, raw: raw, at: at.map { .seconds($0) }, start: start.map { .seconds($0) },
      duration: duration.map { .seconds($0) }, loop: isLooped ? .forever : nil,
      reverse: isReversed ? true : nil)
  }

  var isDevice: Bool {
    if case .device = kind { true } else { false }
  }

  var isLoop: Bool {
    if case .loop = kind { true } else { false }
  }

  /// True for a file or a device.
  var isOutside: Bool {
    switch kind {
    case .file, .device: true
    case .loop, .silence, .tone, .unknown: false
    }
  }

  /// True for an object with the same sound.
  func isSame(as other: EcasoundObject) -> Bool {
    kind == other.kind && channels == other.channels && start == other.start
      && duration == other.duration && at == other.at && isReversed == other.isReversed
      && isLooped == other.isLooped && raw == other.raw
  }

  /// True for an object that is not taken from its beginning to its end.
  var isChanged: Bool {
    start != nil || duration != nil || at != nil || isReversed || isLooped
  }

  /// False for an object that begins elsewhere, is looped, reversed or without a header.
  var isPlain: Bool {
    !isChanged && raw == nil
  }
}
