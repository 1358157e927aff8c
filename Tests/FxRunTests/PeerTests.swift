import Foundation
import FxTestSupport
import Testing

/// Results compared with other programs.
@Suite struct PeerTests {
  private static let hasMPG123 = FileManager.default.isExecutableFile(atPath: "/usr/bin/mpg123")

  @Test(
    .enabled(if: hasMPG123, "mpg123 is not installed"), arguments: Fixture.mp3s)
  func `an empty chain gives what mpg123 decodes`(_ name: String) throws {
    let folder = Folder()
    try folder.write("chain.json", emptyChain)
    let input = Fixture.audio(name)
    let outcome = try folder.run(
      "chain.json", input, "-o", "ours.wav", "--bits", "16", "--no-dither")
    #expect(outcome.exitCode == 0, "\(outcome.errorText)")
    let peer = try Program.run(
      ["-q", "-w", "theirs.wav", input], executable: "/usr/bin/mpg123", in: folder.path)
    #expect(peer.exitCode == 0, "\(peer.errorText)")
    let (ours, theirs) = (try folder.sound("ours.wav"), try folder.sound("theirs.wav"))
    #expect(ours.rate == theirs.rate)
    #expect(ours.bits == 16)
    #expect(ours.frameCount > 1000)
    #expect(ours.channels.map(\.count) == theirs.channels.map(\.count))
    #expect(ours.distance(to: theirs) <= 1 / 32768)
  }

  private static let hasLV2Apply = FileManager.default.isExecutableFile(atPath: "/usr/bin/lv2apply")

  /// The other host does not remove the plugin's 32 frames of latency.
  @Test(.enabled(if: hasLV2Apply, "lv2apply is not installed"))
  func `our plugin sounds the same in another host`() throws {
    let folder = Folder()
    let noise = Sound([
      Signal.noise(4000, seed: 3, amplitude: 0.2), Signal.noise(4000, seed: 4, amplitude: 0.2),
    ])
    try folder.write("in.wav", noise, bits: 16)
    try folder.write(
      "chain.json",
      #"{ "version": 1, "tail": "none", "chain": [{ "lv2": "urn:fxrun:saturator:stereo" }] }"#)
    let ours = try Program.run(
      ["chain.json", "in.wav", "-o", "ours.wav", "--bits", "32"], in: folder.path,
      environment: TestPlugins.environment)
    #expect(ours.exitCode == 0, "\(ours.errorText)")
    let theirs = try Program.run(
      ["-i", "in.wav", "-o", "theirs.wav", "urn:fxrun:saturator:stereo"],
      executable: "/usr/bin/lv2apply", in: folder.path, environment: TestPlugins.environment)
    #expect(theirs.exitCode == 0, "\(theirs.errorText)")
    let (mine, other) = (try folder.sound("ours.wav"), try folder.sound("theirs.wav"))
    #expect(mine.frameCount == 4000)
    for (channel, samples) in other.channels.enumerated() {
      let early = zip(mine.channels[channel], samples.dropFirst(32))
      // The other host writes 16 bits, like the input.
      #expect(early.allSatisfy { abs($0 - $1) <= 1 / 32768 })
    }
  }
}
