import FxAudio
import FxEngine
@testable import FxPlaying
import FxSoundTestSupport
import Testing

/// Volume and mute in the output, and when nothing is rendered at all.
struct OutputLevelTests {
  /// A signal of ones after a level, in blocks.
  private func gains(_ level: inout OutputLevel, _ frameCount: Int, block: Int) -> [Float] {
    let ones = PlanarBuffer(channelCount: 2, frameCount: block)
    let output = PlanarBuffer(channelCount: 2, frameCount: block)
    for frame in 0..<block {
      ones[0][frame] = 1
      ones[1][frame] = 1
    }
    var samples: [Float] = []
    while samples.count < frameCount {
      let count = min(block, frameCount - samples.count)
      level.apply(ones.readable, to: output.channels, channelCount: 2, frameCount: count)
      samples += (0..<count).map { output[1][$0] }
      #expect((0..<count).allSatisfy { output[0][$0] == output[1][$0] })
    }
    return samples
  }

  @Test func `the curve to a new volume does not depend on block sizes`() {
    var results: [[Float]] = []
    for block in [1, 7, 64] {
      var level = OutputLevel()
      #expect(level.isUnity)
      level.setAmplitude(0.5, frameCount: 10)
      #expect(!level.isUnity)
      var samples = gains(&level, 15, block: block)
      level.setMuted(true, frameCount: 4)
      samples += gains(&level, 2, block: block)
      level.setMuted(false, frameCount: 4)
      samples += gains(&level, 10, block: block)
      results.append(samples)
    }
    #expect(results[0] == results[1])
    #expect(results[0] == results[2])
    #expect(results[0][4] == 0.75)
    #expect(Array(results[0][9..<15]) == Array(repeating: 0.5, count: 6))
    #expect(results[0][16] == 0.25)
    #expect(Array(results[0][20...]) == Array(repeating: 0.5, count: 7))
  }

  @Test func `back at 0 dB samples are no longer multiplied`() {
    var level = OutputLevel(amplitude: OutputLevel.amplitude(decibels: -6))
    _ = gains(&level, 3, block: 3)
    level.setAmplitude(OutputLevel.amplitude(decibels: 0), frameCount: 5)
    level.skip(4)
    #expect(!level.isUnity)
    #expect(gains(&level, 1, block: 1) == [1])
    #expect(level.isUnity)
  }

  @Test func `a file gets the level that a device had from the log of its changes`() throws {
    let changes = [
      AppliedTransportChange(frame: 30, change: .volume(amplitude: 0.5, frameCount: 10)),
      AppliedTransportChange(frame: 60, change: .pause),
      AppliedTransportChange(frame: 70, change: .mute(true, frameCount: 5)),
    ]
    let format = StreamFormat(sampleRate: 1000, channelCount: 1)
    let sink = ArraySink(format)
    let levelled = LevelledSink(sink, changes: changes, latency: 20)
    try writeAll([Array(repeating: 1, count: 100)], to: levelled, block: 33)
    try levelled.finish()
    var level = OutputLevel()
    var expected: [Float] = Array(repeating: 1, count: 10)
    level.setAmplitude(0.5, frameCount: 10)
    expected += gains(&level, 40, block: 40)
    level.setMuted(true, frameCount: 5)
    expected += gains(&level, 50, block: 50)
    #expect(sink.channels == [expected])
    #expect(sink.isFinished)
  }

  @Test func `silence is not rendered, and the first sound after it is`() throws {
    let impulse = [Float](repeating: 0, count: 640) + [0.5] + Array(repeating: 0, count: 2000)
    var start = TransportStart()
    start.restFrameCount = 200
    var rig = try TransportRig(
      ArraySource([[0.25] + impulse], sampleRate: 1000), program: TestProgram(echoDelay: 100),
      start: start)
    defer { rig.end() }
    rig.run(4)
    #expect(!rig.cycle.isResting)
    rig.run(2)
    #expect(rig.cycle.isResting)
    let rendered = rig.program.renderer.frame
    rig.run(4)
    #expect(rig.program.renderer.frame == rendered)
    rig.run(3)
    #expect(rig.output[641] == 0.5)
    #expect(rig.output[741] == 0.25)
    let changes = rig.controller.appliedChanges()
    #expect(changes.map(\.change) == [.rested, .woken])
    #expect(changes.last?.frame == 640)
    #expect(!rig.controller.isResting)
  }

  @Test func `a rest waits until the outputs have been silent too`() throws {
    var start = TransportStart()
    start.restFrameCount = 200
    var rig = try TransportRig(
      ArraySource([[0.25] + [Float](repeating: 0, count: 2000)], sampleRate: 1000),
      program: TestProgram(echoDelay: 150), start: start)
    defer { rig.end() }
    rig.run(8)
    #expect(rig.output[150] == 0.125)
    // The echo is in the third block. Four blocks of silence are the first that last 200 frames.
    let changes = rig.controller.appliedChanges()
    #expect(changes == [AppliedTransportChange(frame: 7 * 64, change: .rested)])
  }
}
