import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// Texts, pictures and chapters beside the sound.
struct TagTests {
  private let folder = TemporaryFolder()
  static let tagged = FileFormat.allCases.filter(\.hasTags).map { "a.\($0.rawValue)" }

  private var tags: SoundTags {
    var tags = SoundTags()
    tags.texts = [
      "title": ["Ünï – ☃"], "artist": ["Ada"], "album": ["First"], "date": ["2024"],
      "tracknumber": ["3"], "genre": ["Speech"], "comment": ["a\nb"],
    ]
    tags.pictures = [
      SoundTags.Picture(
        mimeType: "image/png", description: "", bytes: (0..<2000).map { UInt8($0 % 251) })
    ]
    tags.chapters = [
      SoundTags.Chapter(title: "Start", start: 0, end: 0.25),
      SoundTags.Chapter(title: "Zwei", start: 0.25, end: 0.625),
    ]
    return tags
  }

  @Test(arguments: tagged)
  func `tags come back, and the sound is the same with them`(_ name: String) throws {
    let plain = try readAll(try FileSource.open(SampleFiles.path(name, in: folder)))
    let path = try SampleFiles.path(name, in: folder, tags: tags)
    var back = SoundInspector.tags(of: path)
    back.texts["encoder"] = nil
    #expect(back.texts == tags.texts)
    #expect(back.pictures == tags.pictures)
    #expect(back.chapters.map(\.title) == tags.chapters.map(\.title))
    #expect(back.chapters.map(\.start) == tags.chapters.map(\.start))
    let isSame = try readAll(try FileSource.open(path)) == plain
    #expect(isSame)
  }

  @Test(arguments: SampleFiles.written)
  func `equal renders make equal files`(_ format: FileFormat) throws {
    let name = "a.\(format.rawValue)"
    let other = TemporaryFolder()
    let first = contents(try SampleFiles.path(name, in: folder, tags: tags))
    let isSame = contents(try SampleFiles.path(name, in: other, tags: tags)) == first
    #expect(isSame)
  }

  @Test(arguments: ["1e300:00:00", "inf:00:00", "00:00:1e9", "nan:00:00"])
  func `chapters at impossible times are left out`(_ time: String) {
    var tags = SoundTags()
    tags.texts = ["chapter001": ["00:00:01"], "chapter002": [time]]
    tags.extractChapters()
    #expect(tags.chapters.map(\.start) == [1])
    #expect(tags.chapters.map(\.end) == [nil])
  }

  @Test(arguments: tagged)
  func `chapters are written whatever their times are`(_ name: String) throws {
    var tags = SoundTags()
    tags.chapters = [-1, .nan, .infinity, 1e300].map {
      SoundTags.Chapter(title: "A", start: $0, end: $0)
    }
    _ = try SampleFiles.path(name, in: folder, tags: tags)
  }

  @Test func `loudness gains are read as numbers`() {
    var tags = SoundTags()
    tags.texts = [
      "replaygain_track_gain": ["-6.50 dB"], "replaygain_track_peak": ["0.988"],
      "r128_track_gain": ["-512"],
    ]
    #expect(tags.gains.trackGain == -6.5)
    #expect(tags.gains.trackPeak == 0.988)
    #expect(tags.gains.r128TrackGain == -2)
    #expect(tags.gains.albumGain == nil)
  }

  @Test func `a format without tags refuses tags`() throws {
    let error = ioError {
      _ = try FileSink.create(
        folder.file("a.caf"), format: StreamFormat(sampleRate: 48000, channelCount: 2),
        encoding: FileEncoding(tags: ["title": "x"]))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(folder.names == [])
  }
}
