import CTags

/// The metadata of a sound file: texts, pictures, chapters.
public struct SoundTags: Sendable, Hashable, Codable {
  /// A picture, usually the cover.
  public struct Picture: Sendable, Hashable, Codable {
    /// What the picture shows, in the codes of ID3v2's APIC: 3 is the front cover.
    public var kind: Int
    /// `image/jpeg`, `image/png`.
    public var mimeType: String
    public var description: String
    public var bytes: [UInt8]

    public init(kind: Int = 3, mimeType: String, description: String = "", bytes: [UInt8]) {
      self.kind = kind
      self.mimeType = mimeType
      self.description = description
      self.bytes = bytes
    }
  }

  /// Values by key, in lower case: `title`, `artist`, `album`, `tracknumber`, `date`.
  public var texts: [String: [String]] = [:]
  public var pictures: [Picture] = []
  /// Sorted by their starts.
  public var chapters: [Chapter] = []

  /// True if some tags were left out because they are too large.
  package var isPartial = false

  public init() {}

  /// The most bytes of a picture, and of all tags of a file.
  package static let byteLimit = Int(FX_TAG_BYTES)

  /// The warning about left out tags.
  package var warning: String? {
    isPartial
      ? "its tags take more than \(SoundTags.byteLimit >> 20) MB, unpacked or nested too deeply; "
        + "some are left out" : nil
  }

  public var isEmpty: Bool { texts.isEmpty && pictures.isEmpty && chapters.isEmpty }

  /// The first value of a key.
  public subscript(key: String) -> String? { texts[SoundTags.key(key)]?.first }

  /// Sets the only value of a key. An empty value removes the key.
  public mutating func set(_ key: String, to value: String) {
    texts[SoundTags.key(key)] = value.isEmpty ? nil : [value]
  }

  /// The stored key for a common name.
  public static func key(_ word: String) -> String {
    let word = word.lowercased()
    return [
      "track": "tracknumber", "disc": "discnumber", "year": "date", "album artist": "albumartist",
      "album_artist": "albumartist", "encoded by": "encodedby",
    ][word] ?? word
  }
}

extension SoundTags {
  /// Gains for players, in decibels, and peaks, where 1 is full scale.
  public struct Gains: Sendable, Hashable, Codable {
    public var trackGain: Double?
    public var trackPeak: Double?
    public var albumGain: Double?
    public var albumPeak: Double?
    /// Opus: relative to -23 LUFS, in addition to the gain in the header.
    public var r128TrackGain: Double?
    public var r128AlbumGain: Double?
  }

  /// ReplayGain (2.0) and R128 (RFC 7845) gains from the texts.
  public var gains: Gains {
    func number(_ key: String) -> Double? {
      self[key].flatMap { text in
        Double(text.lowercased().split(separator: " ").first.map(String.init) ?? "")
      }
    }
    func fixed(_ key: String) -> Double? { self[key].flatMap(Int.init).map { Double($0) / 256 } }
    return Gains(
      trackGain: number("replaygain_track_gain"), trackPeak: number("replaygain_track_peak"),
      albumGain: number("replaygain_album_gain"), albumPeak: number("replaygain_album_peak"),
      r128TrackGain: fixed("r128_track_gain"), r128AlbumGain: fixed("r128_album_gain"))
  }

  /// The loudness of a track or of an album, for tags.
  package struct Level: Sendable, Hashable {
    /// In LUFS.
    package var loudness: Double
    /// 1 is full scale.
    package var truePeak: Double

    package init(loudness: Double, truePeak: Double) {
      self.loudness = loudness
      self.truePeak = truePeak
    }
  }

  /// Sets the gain tags of a track, or of its album. The target is -23 LUFS for Opus (RFC 7845),
  /// otherwise -18 LUFS (ReplayGain 2.0). Silence has no loudness, and gets no tags.
  mutating func setGains(_ level: Level, of scope: String, isOpus: Bool) {
    guard level.loudness.isFinite else { return }
    guard !isOpus else {
      let steps = ((-23 - level.loudness) * 256).rounded()
      set("r128_\(scope)_gain", to: String(Int(min(max(steps, -32768), 32767))))
      return
    }
    set("replaygain_\(scope)_gain", to: "\(SoundTags.decimal(-18 - level.loudness, 2)) dB")
    set("replaygain_\(scope)_peak", to: SoundTags.decimal(level.truePeak, 6))
  }

  private static func decimal(_ value: Double, _ digits: Int) -> String {
    let scale = (0..<digits).reduce(1) { scale, _ in scale * 10 }
    let steps = Int((abs(value) * Double(scale)).rounded())
    let fraction = String(scale + steps % scale).dropFirst()
    return "\(value < 0 && steps > 0 ? "-" : "")\(steps / scale).\(fraction)"
  }

  /// Moves chapters out of the texts, where Vorbis comments store them: `CHAPTER001=00:01:02.500`
  /// and `CHAPTER001NAME=Title`.
  mutating func extractChapters() {
    var found: [Chapter] = []
    for key in texts.keys.sorted() where key.hasPrefix("chapter") && key.count == 10 {
      guard let seconds = texts[key]?.first.flatMap(SoundTags.seconds) else { continue }
      found.append(Chapter(title: texts[key + "name"]?.first ?? "", start: seconds))
      texts[key] = nil
      texts[key + "name"] = nil
    }
    chapters += found
    chapters.sort { $0.start < $1.start }
    for index in chapters.indices.dropLast() where chapters[index].end == nil {
      chapters[index].end = chapters[index + 1].start
    }
  }

  /// A limit in seconds above the length of any sound.
  package static let timeLimit = 1e9

  /// Parses `01:02:03.500`; nil for an impossible time.
  private static func seconds(_ text: String) -> Double? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let hours = Double(parts[0]), let minutes = Double(parts[1]),
      let seconds = Double(parts[2]), hours >= 0, minutes >= 0, seconds >= 0
    else { return nil }
    let time = hours * 3600 + minutes * 60 + seconds
    return time < timeLimit ? time : nil
  }
}
