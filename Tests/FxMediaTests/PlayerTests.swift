import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import Testing

struct PlayerTests {
  @Test func `200 random schedules are the sum of their regions to the bit`() throws {
    for seed in 1...200 {
      let reference = ScheduleReference(seed: UInt64(seed))
      let (schedule, mistakes) = reference.schedule()
      let made = try #require(schedule, "seed \(seed): \(mistakes)")
      let expected = reference.mix(width: made.format.channelCount)
      #expect(made.frameCount == expected[0].count)
      for block in [1 + seed * 7 % 500, 4096 + seed] {
        let heard = try readAll(reference.player(made), block: block)
        try #require(heard == expected, "seed \(seed), blocks of \(block)")
      }
    }
  }

  @Test func `seeking gives the same samples as playing there`() throws {
    for seed in 1...40 {
      let reference = ScheduleReference(seed: UInt64(seed))
      let schedule = try #require(reference.schedule().0)
      let player = reference.player(schedule)
      let all = try readAll(player)
      for share in [0.9, 0.1, 0.5, 0, 0.3] {
        let frame = Int(Double(all[0].count) * share)
        try player.seek(toFrame: frame)
        #expect(try readAll(player) == all.map { Array($0[frame...]) }, "seed \(seed), \(frame)")
      }
    }
  }

  @Test func `a tone that is cut into 50 regions has no seam`() throws {
    let tone = tones([440, 660], frameCount: 50_000)
    var regions: [PlayerRegion] = []
    for index in 0..<50 {
      var region = PlayerRegion(file: "tone")
      region.start = .frames(index * 1000)
      region.duration = .frames(1000)
      regions.append(region)
    }
    let player = try player(regions, ["tone": tone])
    #expect(player.frameCount == 50_000)
    #expect(try readAll(player) == tone)
  }

  @Test func `an equal-power crossfade keeps the power of sounds that differ`() throws {
    var first = PlayerRegion(file: "left")
    first.id = "first"
    var second = PlayerRegion(file: "right")
    second.crossfade = .init(.frames(999), .equalPower)
    let silent = [Float](repeating: 0, count: 2000)
    let full = [Float](repeating: 1, count: 2000)
    let heard = try readAll(
      try player([first, second], ["left": [full, silent], "right": [silent, full]]))
    #expect(heard[0].count == 3001)
    for frame in 1001..<2000 {
      let power = heard[0][frame] * heard[0][frame] + heard[1][frame] * heard[1][frame]
      #expect(abs(power - 1) < 1e-6)
    }
  }

  @Test func `a region at twice the speed is half as long and an octave higher`() throws {
    var region = PlayerRegion(file: "tone")
    region.speed = 2
    let heard = try readAll(
      try player([region], ["tone": tones([500], frameCount: 20_000)]))[0]
    #expect(heard.count == 10_000)
    let ideal = tones([1000], frameCount: 10_000)[0]
    let error = zip(heard, ideal).dropFirst(2000).dropLast(2000).map { abs($0 - $1) }.max() ?? 1
    #expect(error < 1.6e-6)
  }

  @Test(arguments: [0.25, 0.7, 1.5, 4])
  func `a region that keeps its pitch has a different length and the same tone`(_ speed: Double)
    throws
  {
    var region = PlayerRegion(file: "tone")
    region.speed = speed
    region.keepsPitch = true
    for isReversed in [false, true] {
      region.isReversed = isReversed
      let player = try player([region], ["tone": tones([500], frameCount: 24_000)])
      let heard = try readAll(player)[0]
      #expect(heard.count == Int((24_000 / speed).rounded()))
      #expect(player.frameCount == heard.count)
      let middle = heard[(heard.count / 4)..<(heard.count * 3 / 4)]
      let crossings = zip(middle, middle.dropFirst()).count { $0 < 0 && $1 >= 0 }
      let rate = try #require(player.format.sampleRate as Double?)
      #expect(abs(Double(crossings) - 500 * Double(middle.count) / rate) <= 1.5)
      let peak = middle.map { abs($0) }.max() ?? 0
      let tone = tones([500], frameCount: 24_000)[0].map { abs($0) }.max() ?? 0
      #expect(abs(peak / tone - 1) < 0.06)
    }
  }

  @Test func `blocks of any length read the same stretched sound`() throws {
    var region = PlayerRegion(file: "tone")
    region.speed = 0.8
    region.keepsPitch = true
    let sounds = ["tone": tones([500, 910], frameCount: 20_000)]
    let whole = try readAll(try player([region], sounds), block: 4096)
    #expect(try readAll(try player([region], sounds), block: 333) == whole)
  }

  @Test func `a loop without an end continues until another region ends`() throws {
    var bed = PlayerRegion(file: "bed")
    bed.anchor = .time(.frames(0))
    bed.playCount = nil
    bed.until = .end("talk")
    var talk = PlayerRegion(file: "talk")
    talk.id = "talk"
    talk.anchor = .time(.frames(250))
    let heard = try readAll(
      try player([bed, talk], ["bed": [[1, 2, 3]], "talk": [[Float](repeating: 10, count: 750)]]))
    #expect(heard[0].count == 1000)
    #expect(heard[0][999] == 10 + Float(999 % 3 + 1))
    bed.until = nil
    #expect(try player([bed, talk], ["bed": [[1]], "talk": [[1]]]).frameCount == nil)
  }

  @Test func `10,000 regions open only the files that sound now or soon`() throws {
    let openings = Openings()
    var regions: [PlayerRegion] = []
    for index in 0..<10_000 {
      var region = PlayerRegion(file: "\(index % 10)")
      region.duration = .frames(100)
      region.offset = .frames(index == 0 ? 0 : -10)
      regions.append(region)
    }
    let file = RegionFile(layout: .usual(1), sampleRate: 44100, frameCount: 44100)
    let found = ScheduleBuilder.schedule(
      regions, Dictionary(uniqueKeysWithValues: (0..<10).map { ("\($0)", file) }), sampleRate: 44100
    )
    let schedule = try #require(found.schedule, "\(found.mistakes)")
    #expect(schedule.frameCount == 10_000 * 90 + 10)
    let player = PlayerSource("player", schedule) { _ in openings.open() }
    #expect(try readAll(player)[0].count == 10_000 * 90 + 10)
    #expect(openings.count >= 10_000)
    // The files of a block of 4096 frames, and the files that are opened ahead.
    #expect(openings.most < 128)
  }

  @Test func `a damaged file is silent where it lacks frames, with a warning`() throws {
    let file = RegionFile(layout: .usual(1), sampleRate: 44100, frameCount: 1000)
    let found = ScheduleBuilder.schedule(
      [PlayerRegion(file: "short")], ["short": file], sampleRate: 44100)
    let schedule = try #require(found.schedule, "\(found.mistakes)")
    let player = PlayerSource("player", schedule) { _ in
      ArraySource([[Float](repeating: 1, count: 600)])
    }
    let heard = try readAll(player)[0]
    #expect(heard.count == 1000)
    #expect(heard[599] == 1 && heard[600] == 0 && heard[999] == 0)
    #expect(player.warnings == ["array: 400 frames are missing where it is played: silent"])
  }

  @Test func `a region that begins beyond the longest schedule is a mistake`() throws {
    let file = RegionFile(layout: .usual(1), sampleRate: 44100, frameCount: 1000)
    let regions = (0..<9000).map { index in
      var region = PlayerRegion(file: "short")
      region.id = "r\(index)"
      if index > 0 {
        region.anchor = .after("r\(index - 1)")
        region.offset = .frames((1 << 50) - 1)
      }
      return region
    }
    let found = ScheduleBuilder.schedule(regions, ["short": file], sampleRate: 44100)
    #expect(found.schedule == nil)
    let mistake = try #require(found.mistakes.first)
    #expect(mistake.region == 4 && mistake.key == "offset")
    #expect(mistake.message.contains("later than a schedule can last"))
  }

  @Test func `a file that is missing when its region begins is an error`() throws {
    let file = RegionFile(layout: .usual(1), sampleRate: 44100, frameCount: 1000)
    let found = ScheduleBuilder.schedule(
      [PlayerRegion(file: "gone")], ["gone": file], sampleRate: 44100)
    let schedule = try #require(found.schedule, "\(found.mistakes)")
    let player = PlayerSource("player", schedule) { name throws(Failure) in
      throw Failure(.notFound, name, "no such file")
    }
    #expect(ioError { _ = try readAll(player) }?.code == .notFound)
  }

  private func player(_ regions: [PlayerRegion], _ sounds: [String: [[Float]]]) throws
    -> PlayerSource
  {
    let files = sounds.mapValues {
      RegionFile(layout: .usual($0.count), sampleRate: 44100, frameCount: $0[0].count)
    }
    let found = ScheduleBuilder.schedule(
      regions, files, sampleRate: 44100)
    let schedule = try #require(found.schedule, "\(found.mistakes)")
    return PlayerSource("player", schedule) { ArraySource(sounds[$0] ?? []) }
  }
}
