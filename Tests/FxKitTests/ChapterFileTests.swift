import Foundation
import FxAudio
@testable import FxKit
import FxMedia
import FxTestSupport
import Testing

/// Files of chapters beside a sound: read for the input, and written for the output.
@Suite struct ChapterFileTests {
  private let folder = TemporaryFolder()

  private func ramp(_ count: Int = 6000, _ name: String = "in.wav") throws -> String {
    try folder.writeSound(
      name, (0..<count).map { Float($0) / 32768 }, rate: 1000, channels: 1)
  }

  private func file(_ name: String, _ text: String) -> String {
    folder.write(name, Array(text.utf8))
  }

  private static let labels = "0\t1.5\tOne\n1.5\t1.5\tTwo\n4\t5\tThree\n"
  private static let podcast = """
    { "version": "1.2.0", "chapters": [
      { "startTime": 0, "title": "One", "img": "http://a/1.png" },
      { "startTime": 1.5, "title": "Two", "url": "http://a/", "toc": true },
      { "startTime": 2, "toc": false, "img": "http://a/2.png" },
      { "startTime": 4, "endTime": 5, "title": "Three",
        "location": { "name": "Rome", "geo": "geo:41.9,12.5" } }
    ] }
    """
  private static let sheet = """
    PERFORMER "Band"
    TITLE "Album"
    FILE "other.wav" WAVE
      TRACK 01 AUDIO
        TITLE "One"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Two"
        PERFORMER "Guest"
        INDEX 01 00:01:37
      TRACK 03 AUDIO
        TITLE "Three"
        INDEX 01 00:04:00
    """

  private func read(_ text: String, for input: String? = nil) throws -> ChapterFile {
    try ChapterFile(file("chapters", text), for: input, OpeningLimits())
  }

  private func error(_ text: String, for input: String? = nil) -> Failure? {
    do {
      _ = try read(text, for: input)
      return nil
    } catch {
      return error as? Failure
    }
  }

  @Test(arguments: [labels, podcast, sheet])
  func `the content decides the format of a file of chapters`(_ text: String) throws {
    let listed = try read(text).chapters.filter(\.isListed)
    #expect(listed.map(\.title) == ["One", "Two", "Three"])
    #expect(listed.map { ($0.start * 10).rounded() } == [0, 15, 40])
  }

  @Test func `chapters of a podcast keep their pictures, links and places`() throws {
    let chapters = try read(Self.podcast).chapters
    #expect(chapters.map(\.image) == ["http://a/1.png", nil, "http://a/2.png", nil])
    #expect(chapters.map(\.link) == [nil, "http://a/", nil, nil])
    #expect(chapters.map(\.isListed) == [true, true, false, true])
    #expect(chapters.map(\.end) == [1.5, 4, 4, 5])
    #expect(chapters[3].location == .init(name: "Rome", geo: "geo:41.9,12.5"))
    let again = try read(PodcastChapters.text(chapters, SoundTags()))
    #expect(again.chapters == chapters)
  }

  @Test(arguments: [
    ("{", "line 1, column "), ("[]", "line 1: there is no list 'chapters'"),
    ("{ \"chapters\": {} }", "line 1: there is no list 'chapters'"),
    ("{ \"chapters\": [] }", "there is no chapter in it"),
    ("{ \"version\": \"2.0\", \"chapters\": [] }", "line 1: 'version' is '2.0'"),
    ("{ \"chapters\": [\n1] }", "line 2: a chapter is an object, not a number"),
    ("{ \"chapters\": [\n{}] }", "line 2: the chapter has no 'startTime'"),
    ("{ \"chapters\": [\n{ \"startTime\": -1 }] }", "line 2: 'startTime' is a number of seconds"),
    ("{ \"chapters\": [{ \"startTime\": 1e300 }] }", "line 1: 'startTime' is a number of seconds"),
    ("{ \"chapters\": [{ \"startTime\": \"1\" }] }", "line 1: 'startTime' is a number of seconds"),
    ("{ \"chapters\": [{ \"startTime\": 5,\n\"endTime\": 4 }] }", "line 1: the chapter ends at 4"),
    ("{ \"chapters\": [{ \"startTime\": 5,\n\"title\": 4 }] }", "line 2: 'title' is a text"),
    ("{ \"chapters\": [{ \"startTime\": 5, \"toc\": 1 }] }", "line 1: 'toc' is true or false"),
    ("nonsense", "this is no list of chapters"), ("", "the file is empty"), ("\n \n", "the file"),
    ("0\t1\tA\nB", "line 2: a label is a start"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO", "line 2: track 1 has no INDEX 01"),
  ])
  func `a mistake in a file of chapters names the file and the line`(
    _ text: String, _ message: String
  ) {
    let found = error(text)
    #expect(found?.path == folder.file("chapters"))
    #expect(found?.message.hasPrefix(message) == true, "\(found?.message ?? "none")")
  }

  @Test func `bytes that are no text are refused`() {
    for bytes in [
      [UInt8](repeating: 0, count: 100), [0xff, 0xfe, 0x41], (0...255).map { UInt8($0) },
    ] {
      folder.write("chapters", bytes)
      #expect(throws: Failure.self) {
        try ChapterFile(folder.file("chapters"), for: nil, OpeningLimits())
      }
    }
  }

  @Test func `of a sheet of several files, the tracks of the input's file are taken`() throws {
    let text = """
      FILE "a.wav" WAVE
      TRACK 1 AUDIO
      INDEX 1 0:0:0
      FILE "B.wav" WAVE
      TRACK 2 AUDIO
      INDEX 1 0:0:0
      TRACK 3 AUDIO
      INDEX 1 0:2:0
      """
    #expect(try read(text, for: "/music/b.flac").chapters.map(\.start) == [0, 2])
    #expect(error(text, for: "c.flac")?.message.contains("none has the name of the input") == true)
  }

  /// Reading changed texts gives chapters with possible times, or an error.
  @Test(arguments: [labels, podcast, sheet])
  func `changed texts of chapters are read or refused, and never crash`(_ text: String) throws {
    var state: UInt64 = 7
    func random(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    var (good, bad) = (0, 0)
    let pieces = [
      "\t", "\"", "\n", "9", "-", ":", "e999", "{", "]", "\0", "\\", "nan", "INDEX", "01",
    ]
    for _ in 0..<300 {
      var bytes = Array(text.utf8)
      for _ in 0...random(4) {
        let place = random(bytes.count)
        switch random(4) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random(9)))
        case 2: bytes.insert(contentsOf: pieces[random(pieces.count)].utf8, at: place)
        default: bytes.removeLast(random(bytes.count / 4))
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      do {
        folder.write("chapters", bytes)
        let chapters = try ChapterFile(folder.file("chapters"), for: nil, OpeningLimits()).chapters
        good += 1
        #expect(chapters.allSatisfy { (0..<1e9).contains($0.start) && $0.end ?? 1 >= 0 })
        #expect(zip(chapters, chapters.dropFirst()).allSatisfy { $0.start <= $1.start })
      } catch {
        bad += 1
        #expect(error.path == folder.file("chapters") && !error.message.isEmpty)
      }
    }
    #expect(good > 0 && bad > 0)
  }

  // MARK: - Rendering

  private func render(
    _ chapters: String?, to output: String = "out.flac",
    _ change: (inout RenderRequest) -> Void = { _ in }
  ) throws -> RenderSummary {
    var request = RenderRequest(input: try ramp(), output: folder.file(output))
    request.chapterFile = chapters
    change(&request)
    return try Chain.empty.render(request)
  }

  private func chapters(_ name: String) throws -> [SoundTags.Chapter] {
    try SoundInfo(path: folder.file(name)).tags.chapters
  }

  @Test(arguments: [labels, podcast, sheet])
  func `a file of chapters gives the output its chapters and its parts`(_ text: String) throws {
    let path = file("chapters", text)
    _ = try render(path)
    #expect(try chapters("out.flac").map(\.title) == ["One", "Two", "Three"])
    let parts = try render(path, to: "{n} {title}.flac") { $0.encoding.split = .chapters }.outputs[
      0
    ]
    .parts
    #expect(parts.map(\.title) == ["One", "Two", "Three"])
    let second = text == Self.sheet ? 1493 : 1500
    #expect(parts.map(\.startFrame) == [0, second, 4000])
  }

  @Test func `parts of a sheet have its titles, performers and numbers`() throws {
    let path = file("chapters", Self.sheet)
    _ = try render(path, to: "{n}.flac") { $0.encoding.split = .chapters }
    let tags = try ["001", "002", "003"].map { try SoundInfo(path: folder.file("\($0).flac")).tags }
    #expect(tags.map { $0["title"] } == ["One", "Two", "Three"])
    #expect(tags.map { $0["artist"] } == ["Band", "Guest", "Band"])
    #expect(tags.map { $0["album"] } == ["Album", "Album", "Album"])
    #expect(tags.map { $0["tracknumber"] } == ["1", "2", "3"])
  }

  @Test func `a sheet as the input is divided into its tracks`() throws {
    _ = try ramp(6000, "other.wav")
    let path = file("album.cue", Self.sheet)
    var request = RenderRequest(input: path, output: folder.file("{n} {title}.flac"))
    request.encoding.split = .chapters
    let parts = try Chain.empty.render(request).outputs[0].parts
    #expect(
      parts.map(\.name) == ["001 One", "002 Two", "003 Three"].map { folder.file("\($0).flac") })
    #expect(parts.map(\.frames) == [1493, 2507, 2000])
    #expect(try SoundInfo(path: folder.file("002 Two.flac")).tags["artist"] == "Guest")
    let own = RenderRequest(input: path, output: folder.file("other.wav"))
    #expect(failure { _ = try Chain.empty.render(own) }?.code == "same-as-input")
  }

  @Test func `a short pause before the first track belongs to it, and a hidden track is a part`()
    throws
  {
    func parts(_ time: String) throws -> [RenderSummary.Part] {
      let text = "FILE \"a\" WAVE\nTRACK 1 AUDIO\nTITLE A\nINDEX 1 \(time)\n"
      return try render(file("chapters", text), to: "{n}.flac") { $0.encoding.split = .chapters }
        .outputs[0].parts
    }
    #expect(try parts("0:0:33").map(\.startFrame) == [0])
    #expect(try parts("0:5:30").map(\.startFrame) == [0, 5400])
    #expect(try SoundInfo(path: folder.file("001.flac")).tags["tracknumber"] == "0")
    #expect(try SoundInfo(path: folder.file("002.flac")).tags["tracknumber"] == "1")
  }

  @Test func `chapters of a file move with the start, and are refused where they cannot move`()
    throws
  {
    let path = file("chapters", Self.labels)
    _ = try render(path) { ($0.start, $0.encoding.shape.padStart) = (1, 2) }
    #expect(try chapters("out.flac").map(\.start) == [0, 2.5, 5])
    let reversed = failure { _ = try render(path) { $0.mainInput.isReversed = true } }
    #expect(reversed?.message.contains("--reverse leaves chapters out") == true)
    #expect(reversed?.kind == .input)
    let both = failure { _ = try render(path) { $0.chapters = [.init("A", start: 0)] } }
    #expect(both?.message.contains("leave out one") == true)
    #expect(failure { _ = try render(folder.file("none")) }?.code == "not-found")
  }

  @Test func `chapters behind the end are left out with a warning`() throws {
    let path = file("chapters", Self.labels + "60\t60\tLate\n6\t7\tEnd\n")
    let summary = try render(path)
    #expect(try chapters("out.flac").map(\.title) == ["One", "Two", "Three"])
    #expect(summary.warnings.contains { $0.hasPrefix("2 chapters begin behind the end of") })
  }

  @Test(arguments: ["json", "cue", "txt"])
  func `the chapters of an output are written beside it and can be read again`(_ end: String) throws
  {
    let path = file("chapters", Self.labels)
    _ = try render(path, to: "out.wav") {
      $0.chapterTarget = folder.file("talk.\(end)")
      ($0.start, $0.encoding.shape.padStart) = (1, 0.5)
    }
    let back = try ChapterFile(folder.file("talk.\(end)"), for: nil, OpeningLimits()).chapters
    #expect(back.map(\.title) == ["One", "Two", "Three"])
    let starts = [0, 1, 3.5]
    let tolerance = (end == "cue" ? 0.5 / 75 : 0.0005) + 1e-9
    #expect(zip(back, starts).allSatisfy { abs($0.start - $1) <= tolerance })
    if end != "cue" { #expect(back.last?.end == 4.5) }
    #expect(!folder.names.contains { $0.hasPrefix(".") })
    if end == "cue" {
      let split = RenderRequest(input: folder.file("talk.cue"), output: folder.file("x.wav"))
      #expect(try Chain.empty.render(split).outputs[0].frames == 5500)
    }
  }

  @Test func `the chapters of the input itself and of a chain's speed are written`() throws {
    _ = try render(file("chapters", Self.labels), to: "in.flac")
    let chain = list(#"{ "source": { "input": "main", "speed": 2 } }, { "sink": "main" }"#)
    var request = RenderRequest(input: folder.file("in.flac"), output: folder.file("out.w64"))
    request.chapterTarget = folder.file("out.txt")
    _ = try chain.render(request)
    let back = try ChapterFile(folder.file("out.txt"), for: nil, OpeningLimits()).chapters
    #expect(back.map(\.start) == [0, 0.75, 2])
  }

  @Test func `a file of chapters never replaces an input or an output`() throws {
    let path = file("a.txt", Self.labels)
    func code(_ target: String, output: String = "out.wav") -> String? {
      failure { _ = try render(path, to: output) { $0.chapterTarget = target } }?.code
    }
    #expect(code(path) == "same-as-input")
    #expect(code(folder.file("none/x.txt")) == "unwritable")
    #expect(code(folder.file("x.ogg")) == "usage" && code(folder.file("x")) == "usage")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == Self.labels)
    let none = failure { _ = try render(nil) { $0.chapterTarget = folder.file("x.txt") } }
    #expect(none?.message.contains("the sound has no chapters") == true)
    #expect(!folder.names.contains("x.txt") && !folder.names.contains { $0.hasPrefix(".") })
  }

  @Test func `a sheet is refused where there is no single sound file`() throws {
    let path = file("chapters", Self.labels)
    let split = failure {
      _ = try render(path, to: "{n}.wav") {
        ($0.encoding.split, $0.chapterTarget) = (.chapters, folder.file("x.cue"))
      }
    }
    #expect(split?.message.contains("a CUE sheet names one sound file") == true)
  }
}
