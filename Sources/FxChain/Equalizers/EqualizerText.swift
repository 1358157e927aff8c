import FxAudio

/// The bands of an equalizer file from AutoEq, Equalizer APO, Room EQ Wizard or GraphicEQ, one on
/// each line.
///
/// The supported lines: `Preamp: -6 dB`, `Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1.41`, `Channel:
/// L`, `GraphicEQ: 20 0; 1000 3`. Other commands of Equalizer APO (including files, convolution,
/// copying channels) are rejected; headings and notes are skipped.
package struct EqualizerText {
  /// An error in a line, counted from 1.
  package struct Mistake: Error, Equatable {
    package let line: Int
    package let message: String
  }

  /// One band, with the names of the unit `equalizer`.
  package struct Band: Equatable {
    package var type: String
    package var frequency: Double
    package var gain = 0.0
    package var q = 0.707_106_781_186_547_6
    package var channels = "all"
  }

  package private(set) var bands: [Band] = []
  /// Decibels; nil if no line gives it.
  package private(set) var preamp: Double?
  /// The points of a graphic equalizer, `20 0; 1000 3`; empty without one.
  package private(set) var curve = ""

  /// True if any line is a filter, even one that is off.
  package private(set) var hasFilters = false
  /// The errors, in the order of the lines.
  package private(set) var mistakes: [Mistake] = []

  private static let refused: Set<String> = [
    "convolution", "copy", "delay", "include", "if", "elseif", "else", "endif", "eval", "vstplugin",
    "loudnesscorrection",
  ]

  /// - Parameter sampleRate: The rate for converting bandwidths in octaves.
  package init(_ text: String, sampleRate: Double) {
    var channels: String? = "all"
    for (index, raw) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      do throws(Mistake) {
        try read(String(raw).trimmed, number: index + 1, &channels, sampleRate)
      } catch {
        mistakes.append(error)
      }
    }
  }

  /// - Parameter channels: The channels of the filters that follow; nil for channels other than
  ///   left and right, whose filters are skipped.
  private mutating func read(
    _ line: String, number: Int, _ channels: inout String?, _ sampleRate: Double
  ) throws(Mistake) {
    guard !line.hasPrefix("#"), let colon = line.firstIndex(of: ":") else { return }
    let key = String(line[..<colon]).trimmed.lowercased()
    let rest = String(line[line.index(after: colon)...]).trimmed
    if Self.refused.contains(key) {
      throw Mistake(line: number, message: "'\(line[..<colon])' is not for an equalizer")
    }
    if key == "channel" {
      channels = Self.channels(rest)
    } else if key == "preamp" {
      guard let level = Self.number(rest.split(separator: " ").first) else {
        throw Mistake(line: number, message: "'\(rest)' is not a level in decibels")
      }
      preamp = (preamp ?? 0) + level
    } else if key == "graphiceq" {
      curve = try Self.curve(rest, line: number)
    } else if key == "filter" || key.hasPrefix("filter "), let channels {
      hasFilters = true
      guard var band = try EqualizerLine(rest, line: number).band(sampleRate: sampleRate) else {
        return
      }
      band.channels = channels
      bands.append(band)
    }
  }

  private static func channels(_ text: String) -> String? {
    switch text.lowercased() {
    case "all", "l r", "1 2": "all"
    case "l", "1", "left": "left"
    case "r", "2", "right": "right"
    default: nil
    }
  }

  private static func curve(_ text: String, line: Int) throws(Mistake) -> String {
    var points: [String] = []
    for part in text.split(separator: ";") {
      let words = part.split(whereSeparator: \.isWhitespace)
      if words.isEmpty { continue }
      guard words.count == 2, let frequency = number(words[0]), let level = number(words[1]),
        frequency >= 0
      else {
        throw Mistake(
          line: line, message: "'\(part)' is not a frequency in hertz and a level in decibels")
      }
      // The lowest frequency is half a hertz.
      points.append("\(max(frequency, 0.5)) \(level)")
    }
    return points.joined(separator: "; ")
  }

  /// A number with a decimal point or comma.
  static func number(_ text: Substring?) -> Double? {
    guard let text else { return nil }
    let plain =
      text.contains(".")
      ? text.filter { $0 != "," }
      : text.split(separator: ",", omittingEmptySubsequences: false).joined(separator: ".")
    guard let number = Double(plain), number.isFinite else { return nil }
    return number
  }
}
