import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

struct SplitSinkTests {
  private let folder = TemporaryFolder()
  private let rate = 44100.0

  /// Bursts of noise between silences of every length, quiet noise in some of them.
  private static func sound(_ seconds: Double, seed: UInt64, channels: Int = 2) -> [[Float]] {
    var state = seed
    func random() -> Double {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Double(state >> 40) / 0x1p24
    }
    let total = Int(seconds * 44100)
    var sound = [[Float]](repeating: [], count: channels)
    while sound[0].count < total {
      let isLoud = random() < 0.5
      let level: Float = isLoud ? 0.5 : random() < 0.5 ? 0 : 0.002
      for _ in 0..<Int(random() * 30000) + 1 {
        for channel in 0..<channels { sound[channel].append(level * Float(random() - 0.5) * 2) }
      }
    }
    return sound.map { Array($0.prefix(total)) }
  }

  private func sink(
    _ text: String, _ rule: SplitRule, silence: SilenceRule = SilenceRule(),
    encoding: FileEncoding = FileEncoding(), channels: Int = 2,
    change: (inout SplitSink.Plan) -> Void = { _ in }
  ) throws -> SplitSink {
    let format = StreamFormat(sampleRate: rate, channelCount: channels)
    var plan = SplitSink.Plan(rule, try PartNames(folder.file(text), input: "songs/talk.mp3"))
    plan.silence = silence
    change(&plan)
    return try SplitSink(plan, format) { (path, previous) throws(Failure) in
      try FileSink.create(path, format: format, encoding: encoding, continuing: previous)
    }
  }

  private func joined(_ parts: [SplitSink.Part]) throws -> [[Float]] {
    try parts.reduce(into: [[Float]](repeating: [], count: 2)) { whole, part in
      let samples = try readAll(try FileSource.open(part.name))
      #expect(samples[0].count == part.frameCount)
      for channel in whole.indices { whole[channel] += samples[channel] }
    }
  }

  @Test(arguments: ["every 0.37", "times", "chapters", "silence", "size"])
  func `parts joined equal one file to the bit, and do not depend on blocks`(
    _ word: String
  ) throws {
    let rule: SplitRule
    switch word {
    case "times": rule = .times([0.1, 0.1001, 2, 5.5, 90])
    case "chapters": rule = .chapters
    case "silence": rule = .silence
    case "size": rule = .size(bytes: 1_000_000)
    default: rule = .every(seconds: 0.37)
    }
    let sound = Self.sound(word == "size" ? 14 : 6, seed: 5)
    var shaped = FileEncoding(depth: .int16, shapesNoise: true)
    shaped.split = rule
    for (end, encoding) in [
      ("wav", FileEncoding(depth: .int16)), ("wav", shaped), ("flac", FileEncoding()),
    ] {
      let whole = try FileSink.create(
        folder.file("whole.\(end)"), format: StreamFormat(sampleRate: rate, channelCount: 2),
        encoding: encoding)
      try writeAll(sound, to: whole)
      try whole.finish()
      let expected = try readAll(try FileSource.open(folder.file("whole.\(end)")))
      var starts: [[Int]] = []
      for block in [777, 4096, 131] {
        let sink = try sink("part.\(end)", rule, encoding: encoding) {
          $0.chapters = [
            .init(title: "Intro", start: 0), .init(title: "One", start: 1.25),
            .init(title: "Two", start: 3),
          ]
        }
        try writeAll(sound, to: sink, block: block)
        try sink.finish()
        starts.append(sink.parts.map(\.startFrame))
        #expect(sink.parts.count > 1)
        #expect(try joined(sink.parts) == expected, "\(word) \(end) \(block)")
        #expect(sink.statistics.frameCount == expected[0].count)
      }
      #expect(starts[0] == starts[1] && starts[1] == starts[2])
    }
  }

  @Test func `cuts are at their times to the frame, and none makes an empty part`() throws {
    let sink = try sink("a-{n}.wav", .every(seconds: 0.25))
    try writeAll(Self.sound(1, seed: 1), to: sink)
    try sink.finish()
    #expect(sink.parts.map(\.startFrame) == [0, 11025, 22050, 33075])
    #expect(folder.names == ["a-001.wav", "a-002.wav", "a-003.wav", "a-004.wav"])
    let timed = try self.sink("b-{n}.wav", .times([0.5, 1, 2]))
    try writeAll(Self.sound(1, seed: 1), to: timed)
    try timed.finish()
    #expect(timed.parts.map(\.startFrame) == [0, 22050])
  }

  /// The parts that `SilenceDivider` promises for the whole sound: first frame and end of each.
  private static func reference(
    _ sound: [[Float]], _ rule: SilenceRule
  ) -> [Range<Int>] {
    let total = sound[0].count
    let threshold = Float(Math.amplitude(decibels: rule.level))
    let isLoud = (0..<total).map { frame in sound.contains { abs($0[frame]) > threshold } }
    guard let first = isLoud.firstIndex(of: true), let last = isLoud.lastIndex(of: true) else {
      return [0..<total]
    }
    let least = Int((rule.time * 44100).rounded())
    let kept = rule.keep.map { Int(($0 * 44100).rounded()) }
    var runs: [Range<Int>] = []
    var frame = first
    while frame <= last {
      let end = isLoud[frame...].firstIndex { $0 != isLoud[frame] } ?? total
      if !isLoud[frame], end - frame >= least { runs.append(frame..<end) }
      frame = end
    }
    var starts = [0]
    var ends: [Int] = []
    for run in runs {
      if let kept {
        ends.append(min(run.lowerBound + kept / 2, run.upperBound))
        starts.append(max(run.upperBound - (kept - kept / 2), ends[ends.count - 1]))
      } else {
        starts.append(run.upperBound - min(run.count / 2, Int(SilenceDivider.longestLead * 44100)))
        ends.append(starts[starts.count - 1])
      }
    }
    ends.append(total)
    if let kept {
      if first >= least { starts[0] = first - min(kept - kept / 2, first) }
      if total - last - 1 >= least { ends[ends.count - 1] = min(last + 1 + kept / 2, total) }
    }
    return zip(starts, ends).map { $0..<$1 }
  }

  @Test(arguments: 1...12)
  func `parts at silences are those of a simple search of the whole sound`(_ seed: UInt64) throws {
    let sound = Self.sound(8, seed: seed)
    for rule in [
      SilenceRule(time: 0.2), SilenceRule(level: -60, time: 0.1), SilenceRule(time: 0.2, keep: 0),
      SilenceRule(time: 0.1, keep: 0.5), SilenceRule(time: 0.3, keep: 0.1001),
    ] {
      let expected = Self.reference(sound, rule)
      for block in [300, 8191] {
        let sink = try sink("s.wav", .silence, silence: rule)
        try writeAll(sound, to: sink, block: block)
        try sink.finish()
        let found = sink.parts.map { $0.startFrame..<$0.startFrame + $0.frameCount }
        #expect(found == expected, "\(rule)")
        for part in sink.parts {
          let range = part.startFrame..<part.startFrame + part.frameCount
          #expect(try readAll(try FileSource.open(part.name)) == sound.map { Array($0[range]) })
        }
      }
    }
  }

  @Test func `a silence that is longer than memory is cut five seconds before the next sound`()
    throws
  {
    var sound = [[Float]](repeating: Array(repeating: 0, count: 44100 * 60), count: 2)
    sound[0][100] = 1
    sound[1][44100 * 50] = 1
    let sink = try sink("s.wav", .silence)
    try writeAll(sound, to: sink)
    try sink.finish()
    #expect(sink.parts.map(\.startFrame) == [0, 44100 * 45])
    #expect(sink.parts.map(\.frameCount).reduce(0, +) == 44100 * 60)
  }

  @Test func `a silent sound is one part`() throws {
    for keep in [nil, 0.0, 1] as [Double?] {
      let sink = try sink("q.wav", .silence, silence: SilenceRule(keep: keep))
      try writeAll([[Float]](repeating: Array(repeating: 0, count: 99999), count: 2), to: sink)
      try sink.finish()
      #expect(sink.parts.count == 1)
      #expect(sink.parts[0].frameCount == (keep == nil ? 99999 : 0))
    }
  }

  @Test(arguments: ["wav", "flac", "mp3", "ogg", "aiff"])
  func `parts have the size that was asked for at most, and not much less`(_ end: String) throws {
    let sink = try sink("p.\(end)", .size(bytes: 1_000_000))
    let seconds = end == "mp3" || end == "ogg" ? 70.0 : 9
    let sound = (0..<2).map { Signal.noise(Int(seconds * rate), seed: UInt64($0 + 1)) }
    try writeAll(sound, to: sink)
    try sink.finish()
    #expect(sink.parts.count > 1)
    #expect(sink.parts.map(\.frameCount).reduce(0, +) == sound[0].count)
    for part in sink.parts.dropLast() {
      let size = contents(part.name).count
      #expect(size <= 1_000_000 && size > 700_000, "\(size)")
    }
  }

  @Test func `a finished part is a whole file, and an abandoned one is partial`() throws {
    let sink = try sink("r-{n}.flac", .every(seconds: 1))
    try writeAll(Self.sound(2.5, seed: 3), to: sink)
    #expect(folder.names.filter { !$0.hasPrefix(".") } == ["r-001.flac", "r-002.flac"])
    #expect(try FileSource.open(folder.file("r-002.flac")).frameCount == 44100)
    #expect(try sink.abandon(keepingPartial: true) == folder.file("r-003.partial.flac"))
    #expect(sink.parts.map(\.isPartial) == [false, false, true])
    #expect(folder.names == ["r-001.flac", "r-002.flac", "r-003.partial.flac"])
  }

  @Test func `parts of a killed process are found by their names`() throws {
    let names = try PartNames(folder.file("day-{n}.wav"), input: nil)
    for name in [
      ".day-007.wav.4711", ".day-012.wav.4711.2", ".night-001.wav.4711", "day-001.wav", ".day-.wav",
    ] { folder.write(name, [0]) }
    #expect(FileSink.begun(names) == [folder.file("day-007.wav"), folder.file("day-012.wav")])
  }

  @Test func `parts have their number, their title and their chapters as tags`() throws {
    var tags = SoundTags()
    tags.set("artist", to: "Somebody")
    tags.set("title", to: "The whole")
    tags.chapters = [
      .init(title: "One", start: 0, end: 1), .init(title: "Two", start: 1, end: 2.5),
      .init(title: "Three", start: 2.5),
    ]
    let sink = try sink("{n} {title}.flac", .chapters) {
      $0.chapters = tags.chapters
      $0.tags = tags
    }
    try writeAll(Self.sound(3, seed: 3), to: sink)
    try sink.finish()
    #expect(folder.names == ["001 One.flac", "002 Two.flac", "003 Three.flac"])
    let second = SoundInspector.tags(of: folder.file("002 Two.flac"))
    #expect(second["title"] == "Two" && second["tracknumber"] == "2")
    #expect(second["artist"] == "Somebody" && second.chapters.isEmpty)
    let timed = try self.sink("t.flac", .times([2])) { $0.tags = tags }
    try writeAll(Self.sound(3, seed: 3), to: timed)
    try timed.finish()
    let chapters = SoundInspector.tags(of: folder.file("t-002.flac")).chapters
    #expect(chapters.map(\.title) == ["Two", "Three"])
    #expect(chapters.map(\.start) == [0, 0.5])
  }

  @Test func `names from titles stay in the folder and are unique`() throws {
    var names = try PartNames("out/{title}.mp3", input: nil)
    #expect(names.name(1, title: "../../etc/passwd") == "out/_.._etc_passwd.mp3")
    #expect(names.name(2, title: "Untitled") == "out/Untitled.mp3")
    #expect(names.name(3, title: "Untitled") == "out/Untitled-003.mp3")
    #expect(names.name(4, title: nil) == "out/004.mp3")
    #expect(names.name(5, title: "a\nb") == "out/a_b.mp3")
    var plain = try PartNames("x/talk.flac", input: nil)
    #expect(plain.name(12, title: "T") == "x/talk-012.flac")
    var input = try PartNames("{name}-{n}.wav", input: "songs/talk.mp3")
    #expect(input.name(1, title: nil) == "talk-001.wav")
    #expect(throws: (any Error).self) { try PartNames("{nn}.wav", input: nil) }
  }

  @Test(arguments: [
    ("silence", SplitRule.silence), ("Chapters", .chapters), ("10 min", .every(seconds: 600)),
    ("90s", .every(seconds: 90)), ("1.5h", .every(seconds: 5400)),
    ("100 MB", .size(bytes: 100_000_000)),
    ("2 GiB", .size(bytes: 1 << 31)), ("1:30,4:05.5", .times([90, 245.5])),
    ("0:10, 1:00:00", .times([10, 3600])),
    ("90s,120s", .times([90, 120])),
  ])
  func `a valid rule is read`(_ text: String, _ rule: SplitRule) {
    #expect(SplitRule(text) == rule)
    #expect(SplitRule(rule.text) == rule)
  }

  @Test(arguments: [
    "", "90", "silent", "1:30,1:10", "1:30,", "-5 min", "0 s", "10 kB", "1e400 s", "nan s", "0:0",
    "1:2:3:4", "9e99 GB",
  ])
  func `an invalid rule is refused`(_ text: String) { #expect(SplitRule(text) == nil) }
}
