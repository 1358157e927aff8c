import FxAudio
import FxEngine
@testable import FxPlaying
import FxSoundTestSupport
import Testing

/// A latency that changes while a chain renders: all signals stay aligned.
@Suite struct FollowingTests {
  private let sound: [Float] = (0..<4000).map { Float(($0 * 7919) % 1999 + 1) / 2000 }

  private func render(
    _ program: RenderProgram, _ sound: [Float], tail: RenderOptions.Tail = .frames(0)
  ) throws -> (output: [Float], report: RenderSummary) {
    let sink = ArraySink(StreamFormat(sampleRate: 1000, channelCount: 1))
    let driver = try OfflineDriver(
      program, sources: [try SourceFeed(ArraySource([sound], sampleRate: 1000))],
      sinks: [try SinkFeed(sink)], options: RenderOptions(tail: tail))
    let report = try driver.run()
    return (sink.channels[0], report)
  }

  private static let changes = [(0, 100), (100, 0), (30, 31), (500, 200), (7, 900)]

  @Test(arguments: changes, [0, 50, 64, 129])
  func `a straight chain is exact before and after, to the frame`(
    _ change: (Int, Int), _ behind: Int
  ) throws {
    // The change is at the edge of a block, as a plugin's is.
    let program = try MovingProgram(
      schedule: [(0, change.0), (1024, change.1)], latenessBehind: behind
    ).make()
    #expect(program.plan.delayLines.isEmpty)
    let (output, report) = try render(program, sound)
    #expect(output.count == sound.count)
    // Frames that were not output by then are lost where the latency shrinks.
    let lost = 1024 - change.0..<max(1024 - change.0, 1024 - change.1)
    for frame in sound.indices where !lost.contains(frame) {
      guard output[frame] == sound[frame] else {
        Issue.record("frame \(frame)")
        break
      }
    }
    #expect(output[lost].allSatisfy { $0 == 0 })
    #expect(report.events.map(\.cause) == [.latency(was: change.0, now: change.1)])
    #expect(report.outputs[0].latency == change.0 + behind)
    #expect(report.outputs[0].overrunFrames == 0)
  }

  @Test(arguments: changes)
  func `the inverted input cancels the output again`(_ change: (Int, Int)) throws {
    let program = try MovingProgram(
      schedule: [(0, change.0), (1000, change.1)], isNulled: true
    ).make()
    let (output, _) = try render(program, sound)
    #expect(output.count == sound.count)
    #expect(output[..<(1000 - change.0)].allSatisfy { $0 == 0 })
    #expect(output[1100...].allSatisfy { $0 == 0 })
    #expect(output[(1000 - change.0)..<1100].contains { $0 != 0 })
  }

  @Test(arguments: changes)
  func `dry and wet stay together`(_ change: (Int, Int)) throws {
    let program = try MovingProgram(
      schedule: [(0, change.0), (1000, change.1)], wet: 0.5
    ).make()
    let (output, _) = try render(program, sound)
    #expect(output[..<(1000 - change.0)].elementsEqual(sound[..<(1000 - change.0)]))
    #expect(output[1100...].elementsEqual(sound[1100...]))
  }

  @Test func `the latency may change many times`() throws {
    let schedule = (0..<20).map { (frame: 192 * $0, latency: ($0 * 37) % 190) }
    let program = try MovingProgram(schedule: schedule, latenessBehind: 10).make()
    let (output, report) = try render(program, sound)
    #expect(output.count == sound.count)
    #expect(report.events.count == 19)
    for (frame, sample) in output.enumerated() where sample != 0 {
      #expect(sample == sound[frame], "frame \(frame)")
    }
    #expect(output.count { $0 != 0 } > 2000)
  }

  @Test func `a tail is found after a latency has changed`() throws {
    let program = try MovingProgram(schedule: [(0, 10), (1024, 400)]).make()
    let (output, report) = try render(program, sound, tail: .automatic)
    #expect(output == sound)
    #expect(report.tailFrames == 0)
  }

  @Test func `a latency beyond all room is limited and reported once`() throws {
    let program = try MovingProgram(reported: 5000, limit: 700).make()
    let (output, report) = try render(program, sound)
    #expect(output.count == sound.count)
    #expect(
      report.events.map(\.cause) == [
        .latencyBeyond(limit: 700, reported: 5000), .latency(was: 0, now: 700),
      ])
  }

  @Test func `a source's bad samples become silence and a warning`() throws {
    var bad = sound
    bad[1500] = .nan
    bad[1700] = .infinity
    let (output, report) = try render(try TestProgram().make(), bad)
    #expect(report.fault == nil)
    #expect(output[1500] == 0)
    #expect(output[1501] == sound[1501])
    #expect(
      report.warnings.contains {
        $0.contains(
          "2 samples are not a number or infinite, the first at 0:01.500 (frame 1500): "
            + "taken as silence")
      }, "\(report.warnings)")
  }

  @Test func `times are reported in minutes and milliseconds`() {
    #expect(clockTime(592_560, sampleRate: 48000) == "0:12.345")
    #expect(clockTime(48000 * 3661, sampleRate: 48000) == "61:01.000")
    #expect(clockTime(-5, sampleRate: 48000) == "0:00.000")
    #expect(clockTime(.max, sampleRate: 100) == "?")
  }
}
