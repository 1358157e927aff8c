import FxAudio
@testable import FxMedia
import Testing

/// Starting and stopping by level and by hand, compared with a simple rule frame by frame.
@Suite struct RecordingSinkTests {
  private let rate = 1000.0

  /// Bursts, pauses and near misses; every frame differs from every other.
  private func sound(_ seed: UInt64, frameCount: Int = 6000) -> [Float] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
    var samples: [Float] = []
    while samples.count < frameCount {
      let level = [Float(0), 0.0005, 0.004, 0.02, 0.5][Int(random() % 5)]
      for _ in 0..<Int(random() % 700) {
        samples.append(level * (Float(random() % 2001) / 1000 - 1))
      }
    }
    return Array(samples.prefix(frameCount))
  }

  /// The written frames by the simple rule. `byHand`: frame and whether it starts.
  private func reference(
    _ sound: [[Float]], _ rule: RecordingRule, byHand: [(frame: Int, starts: Bool)] = []
  ) -> (frames: [Int], starts: [Int]) {
    let preRoll = Int((rule.preRoll * rate).rounded())
    let hold = Int((rule.stopTime * rate).rounded())
    let (start, stop) = (
      Float(Math.amplitude(decibels: rule.startLevel)),
      Float(Math.amplitude(decibels: rule.stopLevel))
    )
    var written: [Int] = []
    var starts: [Int] = []
    var (isOn, isHeld, isMuted, quiet) = (false, false, false, 0)
    for frame in sound[0].indices {
      let peak = sound.map { abs($0[frame]) }.max() ?? 0
      func begin() {
        let first = max((written.last ?? -1) + 1, frame - preRoll)
        starts.append(first)
        written += first..<frame
        (isOn, quiet) = (true, 0)
      }
      for request in byHand where request.frame == frame {
        if request.starts {
          if !isOn { begin() }
          (isHeld, isMuted) = (true, false)
        } else if isOn {
          (isOn, isHeld, isMuted, quiet) = (false, false, rule.start == .level, 0)
        }
      }
      if !isOn, !isMuted, rule.start == .level, peak >= start { begin() }
      if isOn { written.append(frame) }
      if isOn && !isHeld || isMuted {
        quiet = peak >= stop ? 0 : quiet + 1
        if quiet >= hold { (isOn, isMuted, quiet) = (false, false, 0) }
      }
    }
    return (written, starts)
  }

  private func recorded(
    _ sound: [[Float]], _ rule: RecordingRule, blocks: [Int],
    byHand: [(frame: Int, starts: Bool)] = []
  ) throws -> (channels: [[Float]], takes: [RecordingSwitch.Take]) {
    let memory = MemorySink(
      name: "take", format: StreamFormat(sampleRate: rate, channelCount: sound.count))
    let sink = RecordingSink(memory, rule)
    for request in byHand { sink.control.request(request.starts, at: request.frame) }
    let buffer = PlanarBuffer(channelCount: sound.count, frameCount: sound[0].count)
    for (channel, samples) in sound.enumerated() {
      for (frame, sample) in samples.enumerated() { buffer[channel][frame] = sample }
    }
    var (frame, block) = (0, 0)
    while frame < sound[0].count {
      let count = min(blocks[block % blocks.count], sound[0].count - frame)
      let views = (0..<sound.count).map { buffer.readable[$0] + frame }
      try views.withUnsafeBufferPointer { table in
        if let base = table.baseAddress { try sink.write(base, frameCount: count) }
      }
      frame += count
      block += 1
    }
    try sink.finish()
    return (memory.channels, sink.control.takes)
  }

  @Test(arguments: 1...20)
  func `the sink writes the frames of the rule, for blocks of any size`(_ seed: Int) throws {
    let sound = [sound(UInt64(seed)), sound(UInt64(seed) + 100)]
    for rule in [
      RecordingRule(.level, startLevel: -30, stopLevel: -45, stopTime: 0.2, preRoll: 0.3),
      RecordingRule(.level, startLevel: -10, stopTime: 0.05),
      RecordingRule(.level, startLevel: -40, stopLevel: -40, stopTime: 0.5, preRoll: 4),
    ] {
      let expected = reference(sound, rule)
      for blocks in [[1], [64], [7, 1, 300], [8192]] {
        let result = try recorded(sound, rule, blocks: blocks)
        #expect(result.channels == sound.map { samples in expected.frames.map { samples[$0] } })
        #expect(result.takes.map(\.startFrame) == expected.starts)
        #expect(
          result.takes.reduce(0) { $0 + ($1.frameCount ?? 0) } == expected.frames.count)
      }
    }
  }

  @Test(arguments: [RecordingRule.Start.level, .manual])
  func `a start and a stop by hand are exact to the frame`(_ start: RecordingRule.Start) throws {
    let sound = [sound(7)]
    let byHand = [
      (500, true), (900, false), (2000, true), (2001, true), (4500, false), (4500, false),
    ]
    .map { (frame: $0.0, starts: $0.1) }
    let rule = RecordingRule(start, startLevel: -30, stopTime: 0.1, preRoll: 0.25)
    let expected = reference(sound, rule, byHand: byHand)
    for blocks in [[1], [64], [4096]] {
      let result = try recorded(sound, rule, blocks: blocks, byHand: byHand)
      #expect(result.channels[0] == expected.frames.map { sound[0][$0] })
      #expect(result.takes.map(\.startFrame) == expected.starts)
    }
  }

  @Test func `a pre-roll repeats no written frames and has none from before the beginning`()
    throws
  {
    let sound = [(0..<1000).map { Float($0 + 1) / 2000 }]
    let result = try recorded(
      sound, RecordingRule(.manual, preRoll: 0.5), blocks: [100],
      byHand: [(200, true), (300, false), (350, true), (400, false)])
    #expect(result.channels[0] == Array(sound[0][0..<400]))
    #expect(result.takes.map(\.startFrame) == [0, 300])
    #expect(result.takes.map(\.fileFrame) == [0, 300])
    #expect(result.takes.map(\.frameCount) == [300, 100])
  }

  @Test func `a sink that is never started writes nothing`() throws {
    let result = try recorded([sound(3)], RecordingRule(.manual), blocks: [256])
    #expect(result.channels[0] == [])
    #expect(result.takes == [])
  }
}
