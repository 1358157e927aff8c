import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

/// Channel layouts, read from a file and written to a file.
@Suite struct LayoutFileTests {
  /// Which of some tones a channel holds.
  private func tone(_ samples: [Float], of candidates: [Double]) -> Double? {
    func power(_ hertz: Double) -> Double {
      var (sine, cosine) = (0.0, 0.0)
      for (frame, sample) in samples.enumerated() {
        let angle = 2 * Double.pi * hertz * Double(frame) / 48000
        sine += Double(sample) * sin(angle)
        cosine += Double(sample) * cos(angle)
      }
      return sine * sine + cosine * cosine
    }
    return candidates.max { power($0) < power($1) }
  }

  private static let names: [ChannelName: Double] = [
    .frontLeft: 500, .frontRight: 700, .frontCentre: 900, .lowFrequency: 60, .backLeft: 1300,
    .backRight: 1500, .sideLeft: 1700, .sideRight: 1900, .backCentre: 1700,
  ]

  /// Files that ffmpeg wrote.
  @Test(arguments: [
    ("surround-5.1.ogg", "5.1"), ("surround-7.1.opus", "7.1"), ("surround-4.0.flac", "4.0"),
  ])
  func `channels come in the order of WAV`(file: String, name: String) throws {
    let source = try FileSource.open(Fixture.audio(file))
    #expect(source.format.layout.description == name)
    let sound = try readAll(source)
    for (channel, label) in source.format.layout.channels.enumerated() {
      let expected = Self.names[label]
      let heard = tone(
        Array(sound[channel].dropFirst(4000).prefix(6000)), of: Array(Set(Self.names.values)))
      #expect(heard == expected, "\(label.label)")
    }
  }

  private static let layouts = [
    "2.1", "3.0", "quad", "4.0", "5.0", "5.1", "5.1(side)", "6.1", "7.1",
  ]

  private func written(
    _ layout: ChannelLayout, as name: String, in folder: TemporaryFolder = TemporaryFolder()
  ) throws -> any AudioSource {
    let path = folder.file(name)
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 48000, layout: layout))
    let frequencies = layout.channels.compactMap { Self.names[$0] }
    try writeAll(
      tones(
        frequencies.count == layout.channelCount
          ? frequencies : (0..<layout.channelCount).map { 500 + 200 * Double($0) },
        frameCount: 9600, sampleRate: 48000), to: sink)
    try sink.finish()
    return try FileSource.open(path)
  }

  @Test(arguments: ["wav", "flac", "rf64"], layouts)
  func `a file stores its channel layout`(ending: String, name: String) throws {
    let layout = try #require(ChannelLayout(named: name))
    #expect(try written(layout, as: "a.\(ending)").format.layout == layout)
  }

  @Test(arguments: ["caf", "aiff"], ["2.1", "3.0", "quad", "4.0", "5.0", "5.1"])
  func `Apple's formats store a layout where they have a tag for it`(ending: String, name: String)
    throws
  {
    let layout = try #require(ChannelLayout(named: name))
    #expect(try written(layout, as: "a.\(ending)").format.layout == layout)
  }

  @Test(arguments: ["ogg", "opus"], ["3.0", "quad", "5.0", "5.1", "6.1", "7.1"])
  func `Vorbis and Opus store channels in their own order and are read back in the usual one`(
    ending: String, name: String
  ) throws {
    let layout = try #require(ChannelLayout(named: name))
    let source = try written(layout, as: "a.\(ending)")
    #expect(source.format.layout == layout)
    let sound = try readAll(source)
    let frequencies = layout.channels.compactMap { Self.names[$0] }
    guard frequencies.count == layout.channelCount else { return }
    for (channel, label) in layout.channels.enumerated() {
      let heard = tone(Array(sound[channel].dropFirst(2000).prefix(6000)), of: frequencies)
      #expect(heard == Self.names[label], "\(label.label)")
    }
  }

  @Test(arguments: [("flac", "5.1(side)"), ("flac", "4.0"), ("caf", "4.0"), ("aiff", "3.0")])
  func `the properties of a file have the layout that is decoded`(
    ending: String, name: String
  ) throws {
    let folder = TemporaryFolder()
    _ = try written(try #require(ChannelLayout(named: name)), as: "a.\(ending)", in: folder)
    let finding = try SoundInspector.inspect(folder.file("a.\(ending)"), isExact: false)
    #expect(finding.properties.layout == name)
  }

  @Test(arguments: [
    ("ogg", "5.1(side)", "5.1"), ("opus", "5.0(side)", "5.0"), ("caf", "5.1(side)", "5.1"),
    ("aiff", "quad(side)", "quad"),
  ])
  func `side channels become back channels in formats without side channels`(
    ending: String, name: String, read: String
  ) throws {
    let layout = try #require(ChannelLayout(named: name))
    #expect("\(try written(layout, as: "a.\(ending)").format.layout)" == read)
  }

  @Test(arguments: ["ogg", "opus"], ["2.1", "4.0"])
  func `a layout that Vorbis does not have is refused`(ending: String, name: String) throws {
    let layout = try #require(ChannelLayout(named: name))
    let error = ioError { _ = try written(layout, as: "a.\(ending)") }
    #expect(error?.code == .unsupportedFormat)
    #expect(error?.description.contains("not \(name)") == true)
  }

  @Test func `a rate that Vorbis does not have is refused with the highest one`() {
    let error = ioError {
      _ = try FileSink.create(
        TemporaryFolder().file("a.ogg"), format: StreamFormat(sampleRate: 384000, channelCount: 2))
    }
    #expect(error?.message.contains("200000 Hz at most, not 384000") == true)
  }

  @Test func `channels without names stay without them`() throws {
    #expect(try written(.discrete(3), as: "a.flac").format.layout == .discrete(3))
    #expect(try written(.discrete(7), as: "a.wav").format.layout == .discrete(7))
  }

  @Test func `a WAV stream in a pipe stores its channel layout`() throws {
    let layout = try #require(ChannelLayout(named: "5.1(side)"))
    let folder = TemporaryFolder()
    let path = folder.file("a.wav")
    let sink = try FileSink.create(path, format: StreamFormat(sampleRate: 48000, layout: layout))
    try writeAll([[Float]](repeating: [0.5, 0.25], count: 6), to: sink)
    try sink.finish()
    #expect(try PCMHeader(HeaderBytes(contents(path))).format.layout == layout)
  }
}
