import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// CUE sheets as lists of tracks, as inputs, and as tags of a sound.
struct CueSheetTests {
  private let folder = TemporaryFolder()

  private static let text = """
    REM GENRE Jazz
    REM DATE "1959"
    PERFORMER "Miles"
    TITLE "Kind of Blue"
    FILE "album.wav" WAVE
      TRACK 01 AUDIO
        TITLE "So What"
        PERFORMER "Miles Davis"
        ISRC USSM15900113
        INDEX 00 00:00:00
        INDEX 01 00:00:32
      TRACK 02 AUDIO
        TITLE Freddie Freeloader
        PREGAP 00:02:00
        INDEX 00 00:00:50
        INDEX 01 00:01:01
    """

  private func sheet(_ text: String) throws -> CueSheet { try CueSheet(Array(text.utf8)) }

  private func mistake(_ text: String) -> String? { ioError { _ = try sheet(text) }?.message }

  @Test func `a sheet has tracks with titles, performers and places in frames of a 75th second`()
    throws
  {
    let sheet = try sheet(Self.text)
    let tracks = sheet.chapters()
    #expect(tracks.map(\.title) == ["So What", "Freddie Freeloader"])
    #expect(tracks.map { Int(($0.start * 44100).rounded()) } == [32 * 588, 76 * 588])
    #expect(tracks[0].end == tracks[1].start && tracks[1].end == nil)
    #expect(tracks[0].texts["artist"] == "Miles Davis" && tracks[0].texts["isrc"] == "USSM15900113")
    #expect(tracks.map { $0.texts["tracknumber"] } == ["1", "2"])
    #expect(
      sheet.texts == [
        "genre": "Jazz", "date": "1959", "artist": "Miles", "albumartist": "Miles",
        "album": "Kind of Blue",
      ])
  }

  @Test(arguments: ["utf8", "bom", "utf16", "1252", "crlf", "cr"])
  func `a sheet may have any usual encoding and line end`(_ form: String) throws {
    let text = "FILE \"a.wav\" WAVE\n TRACK 1 AUDIO\n  TITLE \"Ünï\"\n  INDEX 01 0:1:0\n"
    let bytes: [UInt8]
    switch form {
    case "bom": bytes = [0xef, 0xbb, 0xbf] + Array(text.utf8)
    case "utf16":
      bytes = [0xff, 0xfe] + text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
    case "1252": bytes = text.unicodeScalars.map { UInt8($0.value) }
    case "crlf": bytes = Array(text.replacing("\n", with: "\r\n").utf8)
    case "cr": bytes = Array(text.replacing("\n", with: "\r").utf8)
    default: bytes = Array(text.utf8)
    }
    #expect(CueSheet.matches(bytes))
    let tracks = try CueSheet(bytes).chapters()
    #expect(tracks.map(\.title) == ["Ünï"] && tracks.map(\.start) == [1])
  }

  @Test(arguments: [
    ("TRACK 01 AUDIO\nINDEX 01 00:00:00", "line 2: INDEX stands before the first FILE"),
    ("FILE \"a\" WAVE\nINDEX 01 00:00:00", "line 2: INDEX stands before the first TRACK"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO\n\nINDEX 01 00:60:00", "line 4: '00:60:00' is no time"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:75", "line 3: '00:00:75' is no time"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 -1:00:00", "line 3: '-1:00:00' is no time"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 01 99999999999:00:00", "line 3: "),
    ("FILE \"a\" WAVE\nTRACK x AUDIO\nINDEX 01 00:00:00", "line 2: TRACK has a number and a kind"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX x 00:00:00", "line 3: INDEX has a number"),
    ("FILE \"a\" WAVE\nTRACK 01 AUDIO\nINDEX 00 00:00:00", "line 2: track 1 has no INDEX 01"),
    (
      "FILE \"a\" WAVE\nTRACK 1 AUDIO\nINDEX 1 0:9:0\nTRACK 2 AUDIO\nINDEX 1 0:8:74",
      "line 5: track 2 begins at 00:08:74, before track 1 (00:09:00)"
    ),
    ("FILE \"\" WAVE\nTRACK 01 AUDIO\nINDEX 01 00:00:00", "line 1: FILE has no name"),
    ("FILE \"a\" BINARY\nTRACK 01 MODE1/2352\nINDEX 01 00:00:00", "the CUE sheet has no TRACK"),
    ("", "the CUE sheet has no TRACK"),
  ])
  func `a mistake in a sheet is reported with its line`(_ text: String, _ message: String) {
    #expect(mistake(text)?.hasPrefix(message) == true, "\(mistake(text) ?? "none")")
  }

  private func write(
    _ name: String, _ channels: [[Float]], rate: Double = 44100, tags: SoundTags = SoundTags()
  ) throws {
    let sink = try FileSink.create(
      folder.file(name), format: StreamFormat(sampleRate: rate, channelCount: channels.count),
      encoding: FileEncoding(depth: name.hasSuffix("flac") ? .int24 : .float32), tags: tags)
    try writeAll(channels, to: sink)
    try sink.finish()
  }

  private func open(_ name: String) throws -> any AudioSource {
    try FileSource.open(folder.file(name), nil, StreamSettings())
  }

  private func write(sheet text: String, _ name: String = "x.cue") {
    folder.write(name, Array(text.utf8))
  }

  @Test func `a sheet as an input plays its file, with the tracks as chapters`() throws {
    let sound = tones([440, 550], frameCount: 88200)
    try write("album.wav", sound)
    write(sheet: Self.text)
    let source = try open("x.cue")
    #expect(try readAll(source) == sound)
    #expect(source.isSeekable && source.frameCount == 88200 && source.warnings == [])
    let tags = SoundInspector.tags(of: folder.file("x.cue"))
    #expect(tags.chapters.map(\.title) == ["So What", "Freddie Freeloader"])
    #expect(tags["album"] == "Kind of Blue")
  }

  @Test(arguments: [
    ("ALBUM.WAV", nil), ("album.flac", "album.flac is taken"), ("x.flac", "x.flac is taken"),
  ])
  func `a sheet finds its file under another case, another format or its own name`(
    _ name: String, _ warning: String?
  ) throws {
    try write(name, tones([440], frameCount: 44100))
    write(sheet: Self.text)
    let source = try open("x.cue")
    #expect(try readAll(source)[0].count == 44100)
    #expect(source.warnings.count == (warning == nil ? 0 : 1))
    if let warning { #expect(source.warnings[0].hasSuffix(warning)) }
  }

  @Test func `a path of Windows is looked for beside the sheet`() throws {
    try write("one.wav", tones([440], frameCount: 100))
    write(sheet: "FILE \"C:\\Music\\one.wav\" WAVE\nTRACK 1 AUDIO\nINDEX 1 0:0:0")
    #expect(try readAll(open("x.cue"))[0].count == 100)
  }

  @Test func `a missing file is an error that names the line`() {
    write(sheet: Self.text)
    let error = ioError { _ = try open("x.cue") }
    #expect(error?.code == .notFound && error?.path == folder.file("x.cue"))
    #expect(error?.message.hasPrefix("line 5: there is no file 'album.wav'") == true)
  }

  @Test func `the file of a disc is read as samples without a header`() throws {
    folder.write("disc.bin", [0, 0x40, 0, 0xc0, 1, 0, 2, 0] + [UInt8](repeating: 0, count: 400))
    write(sheet: "FILE \"disc.bin\" BINARY\nTRACK 1 AUDIO\nINDEX 1 0:0:0")
    let sound = try readAll(open("x.cue"))
    #expect(sound.map(\.count) == [102, 102] && sound.map { $0[0] } == [0.5, -0.5])
  }

  private static let several = """
    FILE "one.wav" WAVE
      TRACK 01 AUDIO
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        INDEX 00 00:00:60
    FILE "two.wav" WAVE
        INDEX 01 00:00:00
      TRACK 03 AUDIO
        INDEX 01 00:01:00
    """

  @Test func `several files of a sheet are one sound that can be read from anywhere`() throws {
    let one = tones([440, 330], frameCount: 50_000)
    let two = tones([550, 660], frameCount: 70_001)
    try write("one.wav", one)
    try write("two.wav", two)
    write(sheet: Self.several)
    let all = zip(one, two).map { $0 + $1 }
    let source = try open("x.cue")
    #expect(source.frameCount == 120_001)
    #expect(try readAll(source) == all)
    for frame in [0, 49_999, 50_000, 60_000, 120_001, 10] {
      try source.seek(toFrame: frame)
      #expect(try readAll(source) == all.map { Array($0[frame...]) })
    }
    let chapters = SoundInspector.tags(of: folder.file("x.cue")).chapters
    #expect(chapters.map { Int(($0.start * 44100).rounded()) } == [0, 50_000, 94_100])
  }

  @Test func `files of other rates and lengths unknown keep the tracks in time`() throws {
    try write("one.wav", tones([440], frameCount: 48_000, sampleRate: 48000), rate: 48000)
    try write("two.wav", tones([440, 550], frameCount: 44_100))
    write(sheet: Self.several)
    let source = try open("x.cue")
    #expect(source.frameCount == 96_000)
    #expect(try readAll(source).map(\.count) == [96_000])
    let chapters = SoundInspector.tags(of: folder.file("x.cue")).chapters
    #expect(chapters.map(\.start) == [0, 1, 2])
  }

  @Test func `a sheet with a file missing among several does not play`() throws {
    try write("one.wav", tones([440], frameCount: 100))
    write(sheet: Self.several)
    #expect(ioError { _ = try open("x.cue") }?.message.hasPrefix("line 6: ") == true)
  }

  @Test func `a file of a sheet that ends early is an error, because later tracks would move`()
    throws
  {
    try write("one.wav", tones([440], frameCount: 60_000))
    try write("two.wav", tones([440], frameCount: 60_000))
    write(sheet: Self.several)
    let source = try open("x.cue")
    folder.write("two.wav", Array(contents(folder.file("two.wav")).prefix(4000)))
    let error = ioError { _ = try readAll(source) }
    #expect(error?.path == folder.file("x.cue") && error?.message.contains("two.wav") == true)
  }

  @Test func `the sheet in a tag gives the sound its chapters`() throws {
    var tags = SoundTags()
    tags.texts["cuesheet"] = [Self.text]
    try write("a.flac", tones([440], frameCount: 88200), tags: tags)
    let back = SoundInspector.tags(of: folder.file("a.flac"))
    #expect(back.chapters.map(\.title) == ["So What", "Freddie Freeloader"])
    tags.texts["cuesheet"] = [Self.several]
    try write("b.flac", tones([440], frameCount: 88200), tags: tags)
    #expect(SoundInspector.tags(of: folder.file("b.flac")).chapters == [])
    tags.texts["cuesheet"] = ["nonsense"]
    try write("c.flac", tones([440], frameCount: 88200), tags: tags)
    #expect(SoundInspector.tags(of: folder.file("c.flac")).chapters == [])
  }

  /// A block CUESHEET with these tracks: number, first sample, and the sample of INDEX 01 after it.
  private func block(_ tracks: [(number: Int, offset: Int, first: Int)], end: Int) -> [UInt8] {
    func big(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var bytes = [UInt8](repeating: 0, count: 128) + big(88200, 8) + [0x80]
    bytes += [UInt8](repeating: 0, count: 258) + [UInt8(tracks.count + 1)]
    for track in tracks {
      bytes += big(track.offset, 8) + [UInt8(track.number)] + Array("USSM15900113".utf8)
      bytes += [UInt8](repeating: 0, count: 14) + [2]
      bytes += big(0, 8) + [0, 0, 0, 0] + big(track.first, 8) + [1, 0, 0, 0]
    }
    return bytes + big(end, 8) + [170] + [UInt8](repeating: 0, count: 27)
  }

  /// A FLAC file with a block before its last one.
  private func insert(_ block: [UInt8], into name: String) throws {
    let path = folder.file(name)
    let bytes = contents(path)
    let size = block.count
    let head: [UInt8] = [5, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
    folder.write(name, Array(bytes[..<42]) + head + block + Array(bytes[42...]))
  }

  @Test func `the block of a FLAC file gives the sound its chapters`() throws {
    try write("a.flac", tones([440], frameCount: 88200))
    let tracks = [(1, 0, 0), (2, 40_000, 588)]
    try insert(block(tracks.map { ($0.0, $0.1, $0.2) }, end: 88200), into: "a.flac")
    let chapters = SoundInspector.tags(of: folder.file("a.flac")).chapters
    #expect(chapters.map { $0.start * 44100 } == [0, 40_588])
    #expect(chapters.map(\.end) == [40_588.0 / 44100, 2])
    #expect(chapters.map { $0.texts["tracknumber"] } == ["1", "2"])
    #expect(chapters[0].texts["isrc"] == "USSM15900113")
    #expect(try readAll(open("a.flac"))[0].count == 88200)
  }

  @Test func `a damaged block of a FLAC file is left out`() throws {
    let whole = block([(1, 0, 0), (2, 40_000, 588)], end: 88200)
    for count in [0, 100, 395, 396, 400, 432, 450, whole.count - 1] {
      try write("a.flac", tones([440], frameCount: 1000))
      try insert(Array(whole.prefix(count)), into: "a.flac")
      #expect(SoundInspector.tags(of: folder.file("a.flac")).chapters == [], "\(count)")
    }
    try write("a.flac", tones([440], frameCount: 1000))
    try insert(block([(1, Int.max, Int.max), (2, -5, 0)], end: 0), into: "a.flac")
    #expect(SoundInspector.tags(of: folder.file("a.flac")).chapters == [])
  }

  @Test func `a written sheet gives the same tracks to a 75th of a second`() throws {
    var chapters = (0..<99).map { SoundTags.Chapter(title: "T \($0)", start: Double($0) * 61.237) }
    chapters[3].title = "a \"quote\"\nand a line"
    chapters[4].texts["artist"] = "Ada"
    var tags = SoundTags()
    tags.set("album", to: "First")
    let text = try CueSheet.text(chapters, sound: "a.flac", tags)
    let back = try CueSheet(Array(text.utf8))
    #expect(back.files.map(\.reference) == ["a.flac"] && back.texts["album"] == "First")
    chapters[3].title = "a 'quote' and a line"
    let tracks = back.chapters()
    #expect(tracks.map(\.title) == chapters.map(\.title))
    #expect(tracks[4].texts["artist"] == "Ada")
    #expect(zip(tracks, chapters).allSatisfy { abs($0.start - $1.start) <= 0.5 / 75 + 1e-9 })
    let error = ioError { _ = try CueSheet.text(chapters + chapters, sound: "a", tags) }
    #expect(error?.message.contains("99 tracks at most") == true)
  }

  @Test func `lists name the files that an output must not replace`() throws {
    try write("one.wav", tones([440], frameCount: 100))
    try write("two.wav", tones([440], frameCount: 100))
    write(sheet: Self.several)
    folder.write("list.m3u", Array("one.wav\nx.cue\nhttp://localhost/a.mp3\n".utf8))
    let files = ["one.wav", "two.wav"].map { folder.file($0) }
    #expect(FileSource.paths(in: folder.file("x.cue")) == files)
    #expect(
      FileSource.paths(in: folder.file("list.m3u")) == [files[0], folder.file("x.cue")] + files)
    #expect(FileSource.paths(in: files[0]) == [])
  }
}
