import FxAudio
package import FxMedia
package import FxTestSupport

/// One short file of every format that fxrun writes, and MPEG audio of several kinds.
package enum SampleFiles {
  package static let written: [FileFormat] = [
    .wav, .flac, .aiff, .caf, .w64, .rf64, .au, .ogg, .opus, .mp3,
  ]
  package static let fixtures = ["voice.mp3", "mono-vbr.mp3", "no-tag.mp3", "free-format.mp3"]

  /// Every file by its name.
  package static var names: [String] { written.map { "a.\($0.rawValue)" } + fixtures }

  /// Makes the file in a folder, or names the fixture.
  package static func path(
    _ name: String, in folder: TemporaryFolder, tags: SoundTags = SoundTags()
  ) throws
    -> String
  {
    guard !fixtures.contains(name) else { return Fixture.audio(name) }
    let path = folder.file(name)
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 48000, channelCount: 2),
      encoding: FileEncoding(depth: .int16, isDithered: false), tags: tags)
    let seconds = 30000
    let noise = Signal.noise(seconds, seed: 3).map { $0 * 0.2 }
    let tone = tones([330], frameCount: seconds, sampleRate: 48000)[0]
    try writeAll([tone, zip(tone, noise).map { $0 * 0.5 + $1 }], to: sink)
    try sink.finish()
    return path
  }
}
