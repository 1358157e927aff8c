import Foundation
import FxAudio
@testable import FxChecks
import FxTestSupport
import FxUnits
import Testing

/// The players of a difference report, decoded again.
@Suite struct SoundPlayerTests {
  private struct Player {
    var caption: String
    var sound: Sound
  }

  private let folder = TemporaryFolder()

  private func players(_ page: String) throws -> [Player] {
    let pattern =
      #/<figcaption>([^\n]*?)</figcaption><audio [^>]*src="data:audio/flac;base64,([^"]*)"/#
    return try page.matches(of: pattern).map { match in
      let path = folder.file("player.flac")
      let data = try #require(Data(base64Encoded: String(match.2)))
      try data.write(to: URL(filePath: path))
      return Player(caption: String(match.1), sound: try Sound(contentsOfFile: path))
    }
  }

  /// Every sample, within half a step of 24 bits.
  private func expectEqual(_ sound: Sound, _ wanted: Sound, gain: Double = 0) {
    #expect(sound.sampleRate == wanted.sampleRate)
    #expect(sound.channelCount == wanted.channelCount && sound.frameCount == wanted.frameCount)
    let gain = Math.amplitude(decibels: gain)
    var worst = 0.0
    for (own, other) in zip(sound.channels, wanted.channels) {
      for (one, two) in zip(own, other) {
        worst = max(worst, abs(Double(one) - Double(two) * gain))
      }
    }
    #expect(worst < 1.3e-7, "\(worst)")
  }

  private func noise(_ frames: Int, channels: Int, seed: UInt64 = 1, gain: Float = 0.3) -> Sound {
    var signal = TestSignal(.noise)
    signal.seed = seed
    var sound = signal.sound(sampleRate: 48000, channels: channels, frameCount: frames)
    for channel in sound.channels.indices {
      let peak = sound.channels[channel].map(abs).max() ?? 1
      sound.channels[channel] = sound.channels[channel].map { $0 * gain / peak }
    }
    return sound
  }

  @Test(arguments: [1, 2, 6])
  func `both sounds and their raised difference can be heard`(channels: Int) throws {
    let expected = noise(4800, channels: channels)
    var actual = expected
    for channel in actual.channels.indices {
      for frame in 1000..<2000 { actual.channels[channel][frame] *= 1.001 }
    }
    let players = try players(ReportSamples.report(expected, actual).html)
    try #require(players.count == 3)
    #expect(players[0].caption == "<b>expected</b>" && players[1].caption == "<b>actual</b>")
    expectEqual(players[0].sound, expected)
    expectEqual(players[1].sound, actual)
    let words = try #require(
      players[2].caption.firstMatch(of: #/^<b>difference</b>raised by ([0-9.]+) dB$/#)?.1)
    var difference = actual
    for channel in actual.channels.indices {
      for frame in 0..<4800 {
        difference.channels[channel][frame] -= expected.channels[channel][frame]
      }
    }
    expectEqual(players[2].sound, difference, gain: try #require(Double(words)))
    #expect(abs(Math.decibels(amplitude: Double(players[2].sound.peak)) + 6) < 0.2)
  }

  @Test func `a sound that is the same has one player, and so has a sound without a golden`() throws
  {
    let sound = noise(1000, channels: 2)
    for report in [ReportSamples.report(sound, sound), ReportSamples.report(nil, sound)] {
      let players = try players(report.html)
      #expect(players.map(\.caption) == ["<b>actual</b>"])
      expectEqual(try #require(players.first).sound, sound)
    }
    let without = try players(ReportSamples.report(sound, nil).html)
    #expect(without.map(\.caption) == ["<b>expected</b>"])
  }

  @Test func `sounds above full scale are lowered by the same amount, which is stated`() throws {
    let (expected, actual) = (
      noise(1000, channels: 1, gain: 0.5), noise(1000, channels: 1, seed: 2, gain: 3)
    )
    let players = try players(ReportSamples.report(expected, actual).html)
    try #require(players.count == 3)
    #expect(players[0].caption == "<b>expected</b>lowered by 9.6 dB so that nothing is clipped")
    expectEqual(players[0].sound, expected, gain: -9.6)
    expectEqual(players[1].sound, actual, gain: -9.6)
    #expect(players[2].caption.hasPrefix("<b>difference</b>lowered by "))
  }

  @Test func `sounds that cannot be subtracted have no difference, with the reason`() throws {
    let sound = noise(1000, channels: 2)
    let cases = [
      (Sound(channels: sound.channels, sampleRate: 44100), "the sample rates differ"),
      (Sound(channels: [sound.channels[0]], sampleRate: 48000), "the channel counts differ"),
    ]
    for (other, reason) in cases {
      let page = ReportSamples.report(sound, other).html
      #expect(try players(page).count == 2)
      #expect(page.contains("No player for the difference: \(reason)."))
    }
  }

  @Test func `what FLAC cannot hold has no player, with the reason`() throws {
    for sound in [
      noise(1000, channels: 9),
      Sound(channels: noise(1000, channels: 1).channels, sampleRate: 44100.5),
    ] {
      let page = ReportSamples.report(nil, sound).html
      #expect(try players(page).isEmpty)
      #expect(page.contains("No player for some sounds"))
    }
  }

  @Test func `samples that are no numbers are silent in a player`() throws {
    let page = ReportSamples.report(
      Sound(channels: [[0.25, .nan, 0.5]], sampleRate: 48000),
      Sound(channels: [[.infinity, 0.25, 0.25]], sampleRate: 48000)
    ).html
    let players = try players(page)
    try #require(players.count == 3)
    #expect(players[0].sound.channels == [[0.25, 0, 0.5]])
    #expect(players[1].sound.channels == [[0, 0.25, 0.25]])
  }

  @Test func `of long sounds the part around the peak of the difference is played`() throws {
    let expected = noise(96_000, channels: 2)
    var actual = expected
    actual.channels[1][60_000] += 0.1
    let page = SoundPlayers(
      .init(expected: expected, actual: actual), names: .init(), byteLimit: 768_000
    ).html
    let players = try players(page)
    try #require(players.count == 3)
    #expect(
      page.contains(
        "The players have the part from 0.9 s to 1.6 s, around the peak of the difference: all of "
          + "it would make the page too large."))
    let middle = players[2].sound.channels[1].firstIndex { $0 != 0 }
    #expect(abs((middle ?? 0) - players[2].sound.frameCount / 2) < 2)
    #expect(players.allSatisfy { $0.sound.frameCount == players[0].sound.frameCount })
  }

  @Test func `many outputs share the limit, and too little of it means no player`() throws {
    let sound = noise(24_000, channels: 8)
    func page(_ limit: Int) -> String {
      SoundPlayers(.init(expected: nil, actual: sound), names: .init(), byteLimit: limit).html
    }
    #expect(try players(page(768_000)).count == 1)
    #expect(page(768_000).utf8.count < 769_000)
    #expect(try players(page(760_000)).isEmpty)
    #expect(page(760_000).contains("No players: even 500 ms of these sounds would make the page"))
    let many = DifferenceReport(
      title: "t", lines: [],
      outputs: (0..<16).map { .init(name: "\($0)", expected: nil, actual: sound) })
    #expect(many.html.components(separatedBy: "No players: ").count == 17)
  }
}
