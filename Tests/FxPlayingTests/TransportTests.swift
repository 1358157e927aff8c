import FxAudio
import FxEngine
@testable import FxMedia
@testable import FxPlaying
import FxSoundTestSupport
import Testing

/// Pause, jumps and loops of a source that is read ahead, exact to the frame.
struct TransportTests {
  private static let fade = TransportRig.fade
  private let sound = staircase(20_000)

  private func ramp(_ frame: Int) -> Float { Float(frame) / Float(Self.fade + 1) }

  @Test func `around a pause every frame is heard once, faded over eight milliseconds`() throws {
    var rig = try TransportRig(ArraySource([sound], sampleRate: 1000))
    defer { rig.end() }
    rig.run(3)
    #expect(rig.controller.ask(.pause))
    rig.run(4)
    #expect(rig.controller.ask(.resume))
    rig.run(3)
    let paused = 3 * TransportRig.block
    let resumed = 7 * TransportRig.block
    #expect(Array(rig.output[..<paused]) == Array(sound[..<paused]))
    for frame in 0..<Self.fade {
      let out = sound[paused + frame] * ramp(Self.fade - frame)
      #expect(rig.output[paused + frame] == out)
      let into = sound[paused + Self.fade + frame] * ramp(frame + 1)
      #expect(rig.output[resumed + frame] == into)
    }
    #expect(rig.output[(paused + Self.fade)..<resumed].allSatisfy { $0 == 0 })
    #expect(
      Array(rig.output[(resumed + Self.fade)...])
        == Array(sound[(paused + 2 * Self.fade)...].prefix(3 * TransportRig.block - Self.fade)))
    #expect(rig.controller.position == paused + Self.fade + 3 * TransportRig.block)
    #expect(
      rig.controller.appliedChanges() == [
        AppliedTransportChange(frame: paused, change: .pause),
        AppliedTransportChange(frame: resumed, change: .resume),
      ])
  }

  @Test func `the beat pauses with the file, from the same frame on`() throws {
    var rig = try TransportRig(ArraySource([sound], sampleRate: 1000))
    defer { rig.end() }
    let clock = rig.program.musicalClock
    // Two beats a second, in blocks of 64 frames at 1000 Hz.
    func isAt(_ blockCount: Int) -> Bool {
      let beat: Double = 0.128 * Double(blockCount)
      return abs(clock.now.beatInBar - beat) < 1e-9
    }
    rig.run(3)
    #expect(rig.controller.ask(.pause))
    rig.run(4)
    #expect(!clock.now.isRolling)
    #expect(isAt(3))
    #expect(rig.controller.ask(.resume))
    rig.run(2)
    #expect(clock.now.isRolling)
    #expect(isAt(4))
  }

  @Test func `a chain's tail rings out while its file is paused`() throws {
    var rig = try TransportRig(
      ArraySource([sound], sampleRate: 1000), program: TestProgram(echoDelay: 100))
    defer { rig.end() }
    rig.run(3)
    #expect(rig.controller.ask(.pause))
    rig.run(4)
    let echo = 3 * TransportRig.block + Self.fade
    #expect(rig.output[echo] == 0.5 * sound[echo - 100])
    #expect(rig.output.last == 0)
  }

  @Test func `a jump fades over into the exact frame`() throws {
    var rig = try TransportRig(ArraySource([sound], sampleRate: 1000))
    defer { rig.end() }
    rig.run(2)
    rig.controller.jump(to: SourceJump(position: 9001))
    #expect(rig.controller.position == 9001)
    rig.run(4)
    let at = try #require(rig.controller.appliedChanges().first).frame
    #expect(at == 2 * TransportRig.block)
    #expect(Array(rig.output[..<at]) == Array(sound[..<at]))
    for frame in 0..<Self.fade {
      let share = ramp(frame + 1)
      #expect(
        rig.output[at + frame]
          == sound[9001 + frame] * share + sound[at + frame] * (1 - share))
    }
    let after = at + Self.fade
    #expect(
      Array(rig.output[after...])
        == Array(sound[(9001 + Self.fade)...].prefix(rig.output.count - after)))
    #expect(rig.controller.position == 9001 + 4 * TransportRig.block)
  }

  @Test func `jumps while it is paused are silent, and the last of several counts`() throws {
    var rig = try TransportRig(ArraySource([sound], sampleRate: 1000))
    defer { rig.end() }
    #expect(rig.controller.ask(.pause))
    rig.run(2)
    for place in [500, 700, 12_000] {
      rig.controller.jump(to: SourceJump(position: place))
      rig.run(1)
    }
    for _ in 0..<4 {
      rig.controller.advance()
      rig.run(1)
    }
    #expect(rig.output[TransportRig.block...].allSatisfy { $0 == 0 })
    let resumed = rig.output.count
    #expect(rig.controller.ask(.resume))
    rig.run(2)
    #expect(rig.output[resumed + Self.fade] == sound[12_000 + Self.fade])
  }

  @Test func `the end of a file is not the end while a jump is pending`() throws {
    var rig = try TransportRig(ArraySource([Array(sound[..<100])], sampleRate: 1000))
    defer { rig.end() }
    rig.run(1)
    rig.controller.jump(to: SourceJump(position: 10))
    rig.run(1)
    #expect(rig.outputStage.mainFrameCount == nil)
    rig.run(2)
    #expect(rig.outputStage.mainFrameCount != nil)
    rig.run(1)
    #expect(rig.controller.hasEnded)
    rig.controller.jump(to: SourceJump(position: 0))
    rig.run(2)
    #expect(rig.output.suffix(TransportRig.block).allSatisfy { $0 == 0 })
  }

  @Test func `a loop that is set while playing gives the samples of a loop from the start`() throws
  {
    let loop = SourceLoop(from: 300, to: 700, crossfade: 20)
    let looped = try LoopedSource(ArraySource([sound], sampleRate: 1000), loop: loop)
    let expected = try read(looped, 1600)
    var rig = try TransportRig(
      try LoopedSource(ArraySource([sound], sampleRate: 1000)))
    defer { rig.end() }
    rig.run(2)
    rig.controller.go(round: loop)
    rig.run(23)
    #expect(rig.output == expected)
    #expect(rig.controller.position == 300 + (1600 - 700) % 400)
    rig.controller.go(round: nil)
    rig.run(12)
    let here = 300 + (1600 - 700) % 400
    #expect(rig.output.last == sound[here + 12 * TransportRig.block - 1])
  }

  @Test func `a log of pauses and jumps gives the same frames again`() throws {
    var rig = try TransportRig(try LoopedSource(ArraySource([sound], sampleRate: 1000)))
    defer { rig.end() }
    rig.run(2)
    #expect(rig.controller.ask(.pause))
    rig.run(2)
    #expect(rig.controller.ask(.resume))
    rig.run(1)
    rig.controller.jump(
      to: SourceJump(position: 5000, loop: SourceLoop(from: 4900, to: 5300, crossfade: 9)))
    rig.run(9)
    rig.controller.go(round: SourceLoop(from: 4000, to: 4100, crossfade: 5))
    rig.run(5)
    #expect(rig.controller.ask(.pause))
    rig.run(1)
    rig.controller.jump(to: SourceJump(position: 77))
    rig.run(1)
    #expect(rig.controller.ask(.resume))
    rig.run(3)
    let changes = rig.controller.appliedChanges()
    #expect(changes.count == 7)
    let again = ReplayedSource(
      try LoopedSource(ArraySource([sound], sampleRate: 1000)), changes: changes)
    #expect(try read(again, rig.output.count) == rig.output)
  }

  private func read(_ source: any AudioSource, _ frameCount: Int) throws -> [Float] {
    let buffer = PlanarBuffer(channelCount: 1, frameCount: frameCount)
    var samples: [Float] = []
    while samples.count < frameCount {
      let count = try source.read(
        into: buffer.channels, frameCount: min(97, frameCount - samples.count))
      if count == 0 { break }
      samples += (0..<count).map { buffer[0][$0] }
    }
    return samples
  }

  @Test func `the seam of a loop crossfades into the frames before its beginning`() throws {
    let loop = SourceLoop(from: 50, to: 200, crossfade: 10)
    let samples = try read(
      try LoopedSource(ArraySource([sound], sampleRate: 1000), loop: loop), 500)
    #expect(Array(samples[..<190]) == Array(sound[..<190]))
    for frame in 0..<10 {
      let share = Float(frame + 1) / 11
      #expect(
        samples[190 + frame] == sound[190 + frame] * (1 - share) + sound[40 + frame] * share)
    }
    #expect(Array(samples[200..<340]) == Array(sound[50..<190]))
    #expect(samples[350] == sound[50])
  }

  @Test func `a loop of the whole file fades out at its end, or joins its ends as they are`() throws
  {
    let short = Array(sound[..<100])
    let faded = try read(
      try LoopedSource(
        ArraySource([short], sampleRate: 1000),
        loop: SourceLoop(from: 0, to: Int.max, crossfade: 10)), 250)
    #expect(faded[99] == short[99] * (1 - Float(10) / 11))
    #expect(faded[100] == short[0])
    let plain = try read(
      try LoopedSource(
        ArraySource([short], sampleRate: 1000, isLengthKnown: false),
        loop: SourceLoop(from: 0, to: Int.max, crossfade: 0)), 250)
    #expect(plain == short + short + short[..<50])
  }

  @Test func `a source that is shorter than the loop is silent for the rest of it`() throws {
    let samples = try read(
      try LoopedSource(
        ArraySource([Array(sound[..<30])], sampleRate: 1000),
        loop: SourceLoop(from: 10, to: 40, crossfade: 0)), 100)
    let round = Array(sound[10..<30]) + Array(repeating: 0, count: 10)
    #expect(samples == Array(sound[..<30]) + Array(repeating: 0, count: 10) + round + round)
  }
}
