import Foundation
import FxTestSupport
import Testing

/// Results held against other programs.
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
}
