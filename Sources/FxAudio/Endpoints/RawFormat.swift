/// How the samples of a sound without a header are stored: `s16le,48000,2`.
package struct RawFormat: Sendable, Hashable {
  /// How one sample is stored.
  package enum Coding: String, Sendable, Hashable, CaseIterable {
    case s8, u8, s16le, s16be, s24le, s24be, s32le, s32be, f32le, f32be, f64le, f64be, alaw, ulaw

    package var byteCount: Int {
      switch self {
      case .s8, .u8, .alaw, .ulaw: 1
      case .s16le, .s16be: 2
      case .s24le, .s24be: 3
      case .s32le, .s32be, .f32le, .f32be: 4
      case .f64le, .f64be: 8
      }
    }

    package var isFloat: Bool {
      switch self {
      case .f32le, .f32be, .f64le, .f64be: true
      default: false
      }
    }

    package var isBigEndian: Bool { rawValue.hasSuffix("be") }

    /// The name, or the number of bits with which fxrun writes such a file.
    init?(named name: String) {
      let written: [String: Coding] = [
        "8": .u8, "16": .s16le, "24": .s24le, "32": .f32le, "64": .f64le, "int32": .s32le,
      ]
      guard let coding = Coding(rawValue: name) ?? written[name] else { return nil }
      self = coding
    }
  }

  package let coding: Coding
  /// In Hz.
  package let sampleRate: Int
  package let layout: ChannelLayout
  /// Bytes before the first sample.
  package let offset: Int

  package static let sampleRates = 100...3_072_000
  package static let channelCounts = 1...1024

  /// The form of a format, for messages.
  package static let form =
    "CODING,RATE,CHANNELS, such as s16le,48000,2 or f32be,44100,5.1,offset=44"
  private static let codings = Coding.allCases.map(\.rawValue).joined(separator: ", ")

  /// A coding, a rate in Hz, the number of channels or the name of a layout; then, in any order,
  /// `offset=BYTES` and `layout=NAME`.
  package init(_ text: String) throws(Failure) {
    var words = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
      String(word.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }[...]
    func mistake(_ problem: String, _ hint: String = "write \(Self.form)") -> Failure {
      Failure(.usage, problem, hints: [hint])
    }
    guard words.count >= 3, let name = words.popFirst(), let rate = words.popFirst(),
      let channels = words.popFirst()
    else { throw mistake("'\(text)' lacks a coding, a sample rate or a number of channels") }
    guard let coding = Coding(named: name.lowercased()) else {
      throw mistake("there is no coding '\(name)'", "one of: \(Self.codings)")
    }
    guard let sampleRate = Int(rate), Self.sampleRates.contains(sampleRate) else {
      throw mistake("'\(rate)' is no sample rate: a whole number of hertz, 100 to 3072000")
    }
    var layout = ChannelLayout(named: channels)
    if layout == nil, let count = Int(channels), Self.channelCounts.contains(count) {
      layout = .usual(count)
    }
    guard var layout else {
      throw mistake("'\(channels)' is no number of channels from 1 to 1024 and no layout")
    }
    var offset = 0
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
      switch (parts.first, parts.count) {
      case ("offset", 2):
        guard let bytes = Int(parts[1]), (0...(1 << 60)).contains(bytes) else {
          throw mistake("'\(parts[1])' is no offset: a whole number of bytes, 0 or more")
        }
        offset = bytes
      case ("layout", 2):
        guard let named = ChannelLayout(named: parts[1]) else {
          let names = ChannelLayout.named.map(\.name).joined(separator: ", ")
          throw mistake("there is no layout '\(parts[1])'", "one of: \(names)")
        }
        guard named.channelCount == layout.channelCount else {
          throw mistake(
            "the layout \(parts[1]) has \(named.channelCount) channels, not \(layout.channelCount)",
            "let the number and the layout agree")
        }
        layout = named
      default:
        throw mistake("'\(word)' is neither offset=BYTES nor layout=NAME")
      }
    }
    self.coding = coding
    self.sampleRate = sampleRate
    self.layout = layout
    self.offset = offset
  }

  package var format: StreamFormat { StreamFormat(sampleRate: Double(sampleRate), layout: layout) }
  package var frameByteCount: Int { coding.byteCount * layout.channelCount }

  /// The format as a user writes it.
  package var text: String {
    let channels = ChannelLayout.named.first { $0.layout == layout }?.name
    return "\(coding.rawValue),\(sampleRate),\(channels ?? "\(layout.channelCount)")"
      + (offset > 0 ? ",offset=\(offset)" : "")
  }
}

/// The format as an option of a source.
extension RawFormat {
  package static let spec = OptionSpec(
    "raw",
    "Samples without a header: their coding, sample rate and channels, `\"s16le,48000,2\"`; also the "
      + "name of a layout, and `offset=` bytes to skip.", .text, default: nil)

  /// nil without the option.
  package init?(_ options: [String: OptionValue]) {
    guard let text = options.text("raw"), let format = try? RawFormat(text) else { return nil }
    self = format
  }

  package static func conflict(_ options: [String: OptionValue]) -> OptionConflict? {
    guard let text = options.text("raw") else { return nil }
    do throws(Failure) {
      _ = try RawFormat(text)
      return nil
    } catch {
      return OptionConflict(
        "raw", concernsOthers: false, error.message, hint: error.hints.first ?? "")
    }
  }
}
