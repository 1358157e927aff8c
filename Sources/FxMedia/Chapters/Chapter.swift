extension SoundTags {
  /// A part of a sound with a title: a chapter of a talk, a track of an album.
  public struct Chapter: Sendable, Hashable, Codable {
    public var title: String
    /// Seconds from the start of the sound.
    public var start: Double
    /// In seconds; nil if unknown.
    public var end: Double?
    /// Tags of this part by key, in lower case: `artist`, `tracknumber`, `isrc`.
    public var texts: [String: String] = [:]
    /// The address of a picture.
    public var image: String?
    /// The address of a page.
    public var link: String?
    /// The place that it is about.
    public var location: Location?
    /// False if a table of contents leaves it out, for example because it only changes the picture.
    public var isListed = true

    /// A place on a map, as podcasts name it.
    public struct Location: Sendable, Hashable, Codable {
      public var name: String
      /// A `geo:` address.
      public var geo: String?
      /// An object of OpenStreetMap.
      public var osm: String?

      public init(name: String, geo: String? = nil, osm: String? = nil) {
        self.name = name
        self.geo = geo
        self.osm = osm
      }
    }

    /// The most chapters of a sound.
    package static let countLimit = 10_000

    public init(title: String, start: Double, end: Double? = nil) {
      self.title = title
      self.start = start
      self.end = end
    }
  }
}

extension SoundTags.Chapter {
  /// The chapter within a part that begins elsewhere and has the given length; nil if it is not in
  /// that part.
  func moved(by seconds: Double, within length: Double) -> SoundTags.Chapter? {
    var chapter = self
    chapter.start = max(start + seconds, 0)
    chapter.end = end.map { min($0 + seconds, length) }
    guard chapter.start < length, chapter.end.map({ $0 > 0 }) ?? true else { return nil }
    return chapter
  }
}

extension [SoundTags.Chapter] {
  /// In the order of their starts. A chapter without an end lasts until the next one that is listed;
  /// one that is not listed lasts until the next of all.
  package var inOrder: [SoundTags.Chapter] {
    var chapters = enumerated().sorted {
      ($0.element.start, $0.offset) < ($1.element.start, $1.offset)
    }
    .map(\.element)
    var (next, nextListed): (Double?, Double?) = (nil, nil)
    for index in chapters.indices.reversed() {
      let isListed = chapters[index].isListed
      chapters[index].end = chapters[index].end ?? (isListed ? nextListed : next)
      next = chapters[index].start
      if isListed { nextListed = next }
    }
    return chapters
  }

  /// Those that begin within a sound of this length in seconds, each with an end.
  package func within(_ duration: Double) -> [SoundTags.Chapter] {
    filter { $0.start < duration }.map { chapter in
      var chapter = chapter
      chapter.end = Swift.min(chapter.end ?? duration, duration)
      return chapter
    }
  }

  /// Those of a table of contents.
  package var listed: [SoundTags.Chapter] { filter(\.isListed) }
}
