import FxAudio

/// A playlist of HTTP Live Streaming (RFC 8216): of segments, or of variants of a sound.
struct HLSPlaylist {
  /// The list with the segments of the best sound; nil if this list has segments.
  let variant: String?
  /// The longest segment in seconds.
  let targetSeconds: Double
  /// The length of all segments in seconds.
  let seconds: Double
  /// The shortest segment in seconds; 0 without segments.
  let shortestSeconds: Double
  /// True if every length is a whole number, and so rounded in many lists.
  let isRounded: Bool
  /// False while a live stream may get more segments.
  let isFinished: Bool

  /// Codecs of sound, as the attribute CODECS begins with them.
  private static let codecs = ["mp4a", "ac-3", "ec-3", "opus", "flac", "alac", "mp3"]

  /// nil for any other list.
  init?(_ lines: [String]) {
    guard lines.contains(where: { $0.hasPrefix("#EXT-X-") }) else { return nil }
    variant = Self.variant(lines)
    func value(_ tag: String) -> Double? {
      lines.first { $0.hasPrefix("\(tag):") }
        .flatMap { Double($0.dropFirst(tag.count + 1).prefix { $0 != "," }) }
    }
    targetSeconds = min(max(value("#EXT-X-TARGETDURATION") ?? 10, 0.1), 600)
    let lengths = lines.filter { $0.hasPrefix("#EXTINF:") }.map { line in
      let length = Double(line.dropFirst(8).prefix { $0 != "," }) ?? 0
      return (0..<1e6).contains(length) ? length : 0
    }
    seconds = lengths.reduce(0, +)
    shortestSeconds = lengths.min() ?? 0
    isRounded = lengths.allSatisfy { $0 == $0.rounded() }
    isFinished = lines.contains { $0.hasPrefix("#EXT-X-ENDLIST") }
  }

  /// Variants without pictures go first, then the highest bit rate. Its sound may be a list of its own.
  private static func variant(_ lines: [String]) -> String? {
    var variants: [(uri: String, attributes: [String: String])] = []
    var attributes: [String: String]?
    for line in lines {
      if line.hasPrefix("#EXT-X-STREAM-INF:") {
        attributes = self.attributes(line)
      } else if !line.hasPrefix("#"), let found = attributes {
        variants.append((line, found))
        attributes = nil
      }
    }
    let sounds = variants.filter { variant in
      let names = variant.attributes["CODECS"]?.lowercased().split { $0 == "," || $0 == " " } ?? []
      return !names.isEmpty && names.allSatisfy { name in codecs.contains { name.hasPrefix($0) } }
    }
    func bitRate(_ attributes: [String: String]) -> Double {
      attributes["BANDWIDTH"].flatMap(Double.init) ?? 0
    }
    let best = (sounds.isEmpty ? variants : sounds)
      .max { bitRate($0.attributes) < bitRate($1.attributes) }
    guard let best else { return nil }
    let media = lines.filter { $0.hasPrefix("#EXT-X-MEDIA:") }.map(self.attributes).filter {
      $0["TYPE"] == "AUDIO" && $0["GROUP-ID"] == best.attributes["AUDIO"] && $0["URI"] != nil
    }
    return (media.first { $0["DEFAULT"] == "YES" } ?? media.first)?["URI"] ?? best.uri
  }

  /// `NAME=value,NAME="a,b"`.
  private static func attributes(_ line: String) -> [String: String] {
    var found: [String: String] = [:]
    var rest = line[(line.firstIndex(of: ":") ?? line.startIndex)...].dropFirst()
    while let sign = rest.firstIndex(of: "=") {
      let name = rest[..<sign].filter { $0 != " " }
      rest = rest[sign...].dropFirst()
      if rest.first == "\"" {
        let value = rest.dropFirst().prefix { $0 != "\"" }
        found[name] = String(value)
        rest = rest[value.endIndex...].drop { $0 != "," }.dropFirst()
      } else {
        let value = rest.prefix { $0 != "," }
        found[name] = String(value)
        rest = rest[value.endIndex...].dropFirst()
      }
    }
    return found
  }
}
