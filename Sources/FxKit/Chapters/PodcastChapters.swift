import FxAudio
import FxChain
import FxMedia

/// The chapters of a podcast in JSON.
///
/// Source: podcastnamespace, "JSON Chapters Format", version 1.2.
enum PodcastChapters {
  /// - Throws: `Failure` for a text that is not this format, with the line.
  static func read(_ bytes: [UInt8], path: String) throws(Failure) -> [SoundTags.Chapter] {
    var found = Diagnostics()
    guard let document = JSONDocument.read(SourceText(path: path, bytes: bytes), into: &found),
      !found.hasErrors
    else {
      let mistake = found.all.last
      throw Failure(
        .damaged, path,
        "line \(mistake?.line ?? 1), column \(mistake?.column ?? 1): "
          + (mistake?.message ?? "it is no JSON"))
    }
    let file = Field(value: document.root, path: path)
    if let version = try file.text("version"), !version.hasPrefix("1.") {
      throw file.mistake(
        "'version' is '\(ForeignText.shortened(version, to: 20))', and fxrun reads version 1")
    }
    guard let list = document.root["chapters"], list.kind == .array else {
      throw file.mistake("there is no list 'chapters', as chapters of podcasts have it")
    }
    let elements = list.elements
    guard elements.count <= SoundTags.Chapter.countLimit else {
      throw Failure(
        .damaged, path,
        "it has \(elements.count) chapters, and fxrun reads \(SoundTags.Chapter.countLimit) at most"
      )
    }
    var chapters: [SoundTags.Chapter] = []
    for element in elements { chapters.append(try chapter(Field(value: element, path: path))) }
    return chapters.inOrder
  }

  private static func chapter(_ field: Field) throws(Failure) -> SoundTags.Chapter {
    guard field.value.kind == .object else {
      throw field.mistake("a chapter is an object, not \(field.value.kindName)")
    }
    guard let start = try field.seconds("startTime") else {
      throw field.mistake("the chapter has no 'startTime'")
    }
    let end = try field.seconds("endTime")
    if let end, end < start {
      throw field.mistake(
        "the chapter ends at \(shortNumber(end)), before it begins (\(shortNumber(start)))")
    }
    var chapter = SoundTags.Chapter(
      title: (try field.text("title") ?? "")[...].plain, start: start, end: end)
    chapter.image = try field.text("img")
    chapter.link = try field.text("url")
    chapter.isListed = try field.flag("toc") ?? true
    if let place = field.value["location"], place.kind == .object {
      let place = Field(value: place, path: field.path)
      chapter.location = SoundTags.Chapter.Location(
        name: try place.text("name") ?? "", geo: try place.text("geo"), osm: try place.text("osm"))
    }
    return chapter
  }

  /// The text of chapters. A chapter lasts until the next one unless it says otherwise.
  static func text(_ chapters: [SoundTags.Chapter], _ tags: SoundTags) -> String {
    let list = chapters.map { chapter in
      JSONOutput.members([
        "startTime": .number(rounded(chapter.start)),
        "endTime": chapter.end.map { .number(rounded($0)) },
        "title": chapter.title.isEmpty ? nil : .string(chapter.title),
        "img": chapter.image.map { .string($0) }, "url": chapter.link.map { .string($0) },
        "toc": chapter.isListed ? nil : .bool(false), "location": chapter.location.map(location),
      ])
    }
    return JSONOutput.members([
      "version": .string("1.2.0"), "author": tags["artist"].map { .string($0) },
      "title": tags["title"].map { .string($0) }, "chapters": .array(list),
    ]).text() + "\n"
  }

  private static func location(_ place: SoundTags.Chapter.Location) -> JSONOutput {
    .members([
      "name": .string(place.name), "geo": place.geo.map { .string($0) },
      "osm": place.osm.map { .string($0) },
    ])
  }

  /// To a millionth of a second, which is less than a frame at any rate.
  private static func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

  /// A value with its place in messages.
  private struct Field {
    let value: JSONValue
    let path: String

    func mistake(_ message: String) -> Failure {
      let line = value.place.source.position(of: value.extent.lowerBound).line
      return Failure(.damaged, path, "line \(line): \(message)")
    }

    /// The member; nil if it is missing or null.
    private func member(_ key: String) -> Field? {
      value[key].flatMap { $0.kind == .null ? nil : Field(value: $0, path: path) }
    }

    func text(_ key: String) throws(Failure) -> String? {
      guard let field = member(key) else { return nil }
      guard let text = field.value.string else {
        throw field.mistake("'\(key)' is a text, not \(field.value.kindName)")
      }
      return text
    }

    func flag(_ key: String) throws(Failure) -> Bool? {
      guard let field = member(key) else { return nil }
      guard let flag = field.value.bool else {
        throw field.mistake("'\(key)' is true or false, not \(field.value.kindName)")
      }
      return flag
    }

    func seconds(_ key: String) throws(Failure) -> Double? {
      guard let field = member(key) else { return nil }
      guard let number = field.value.number, (0..<SoundTags.timeLimit).contains(number) else {
        throw field.mistake(
          "'\(key)' is a number of seconds from 0 on, not "
            + ForeignText.visible(ForeignText.shortened(field.value.spelling, to: 40)))
      }
      return number
    }
  }
}
