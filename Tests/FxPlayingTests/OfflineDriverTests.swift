import FxAudio
import FxEngine
@testable import FxMedia
@testable import FxPlaying
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct OfflineDriverTests {
  private func sinks(_ program: RenderProgram) -> [ArraySink] {
    program.sinkWidths.map {
      ArraySink(StreamFormat(sampleRate: program.sampleRate, channelCount: $0))
    }
  }

  private func render(
    _ program: RenderProgram, _ sound: [[Float]], tail: RenderOptions.Tail,
    isLengthKnown: Bool = true, writesBehind: Bool = true
  ) throws -> (outputs: [[[Float]]], report: RenderSummary) {
    let source = ArraySource(
      sound, sampleRate: program.sampleRate, isLengthKnown: isLengthKnown)
    let arrays = sinks(program)
    let driver = try OfflineDriver(
      program, sources: [try SourceFeed(source)],
      sinks: try arrays.map { try SinkFeed($0, writesBehind: writesBehind) },
      options: RenderOptions(tail: tail))
    let report = try driver.run()
    #expect(arrays.allSatisfy { $0.isFinished && !$0.isAbandoned })
    return (arrays.map(\.channels), report)
  }

  private let sound: [Float] = (0..<1000).map { Float($0 % 100 + 1) / 100 }

  @Test(arguments: [0, 1, 63, 64, 100, 500], [0, 10, 64])
  func `the output is as long as the input and begins with it`(
    _ lateness: Int, _ tail: Int
  ) throws {
    let program = try TestProgram(lateness: lateness).make()
    let (outputs, report) = try render(program, [sound], tail: .frames(tail))
    #expect(outputs[0][0] == sound + Array(repeating: 0, count: tail))
    #expect(report.mainFrames == 1000)
    #expect(report.tailFrames == tail)
    #expect(report.outputs[0].latency == lateness)
    #expect(report.outputs[0].peak == 1)
  }

  @Test(arguments: [0, 1, 63, 64, 65, 128])
  func `a source may end anywhere, known beforehand or not`(_ count: Int) throws {
    for isKnown in [true, false] {
      for writesBehind in [true, false] {
        let program = try TestProgram(lateness: 5).make()
        let part = Array(sound[0..<count])
        let (outputs, _) = try render(
          program, [part], tail: .frames(0), isLengthKnown: isKnown, writesBehind: writesBehind)
        #expect(outputs[0][0] == part)
      }
    }
  }

  @Test(arguments: [0, 30, 200])
  func `a tail ends with its last audible frame`(_ lateness: Int) throws {
    let program = try TestProgram(lateness: lateness, echoDelay: 300).make()
    let (outputs, report) = try render(program, [sound], tail: .automatic)
    #expect(outputs[0][0].count == 1300)
    #expect(outputs[0][0][1299] == sound[999] * 0.5)
    #expect(report.tailFrames == 300)
    #expect(!report.tailWasCut)
  }

  @Test func `silence before something audible in the tail is kept`() throws {
    // The sound's last 400 frames are silent: 300 frames of silence lie between it and its echo.
    let quiet = sound[0..<600] + Array(repeating: 0, count: 400)
    let program = try TestProgram(lateness: 7, echoDelay: 800).make()
    let (outputs, _) = try render(program, [Array(quiet)], tail: .automatic)
    #expect(outputs[0][0].count == 1400)
    #expect(outputs[0][0][1399] == quiet[599] * 0.5)
  }

  @Test func `silence at the end of the sound itself is kept`() throws {
    let program = try TestProgram().make()
    let quiet = sound[0..<100] + Array(repeating: 0, count: 900)
    let (outputs, report) = try render(program, [Array(quiet)], tail: .automatic)
    #expect(outputs[0][0] == Array(quiet))
    #expect(report.tailFrames == 0)
  }

  @Test func `a tail that does not end is cut and reported`() throws {
    let program = try TestProgram(lateness: 3, echoDelay: 300).make()
    let (outputs, report) = try render(
      program, [sound], tail: .untilSilent(threshold: 1e-4, hold: 0.05, maximum: 0.1))
    #expect(outputs[0][0].count == 1100)
    #expect(report.tailWasCut)
  }

  @Test func `sinks of different latency begin together and end together`() throws {
    let program = try TestProgram(lateness: 100, echoDelay: 300, sinkCount: 2).make()
    #expect(program.sinkLatencies == [100, 0])
    let (outputs, _) = try render(program, [sound], tail: .automatic)
    #expect(outputs[1][0] == sound + Array(repeating: 0, count: 300))
    #expect(outputs[0][0].count == 1300)
    #expect(Array(outputs[0][0][0..<300]) == Array(sound[0..<300]))
  }

  @Test(arguments: [64, 1000, 3000])
  func `a block that is larger than its feeds arrives whole`(_ block: Int) throws {
    let program = try TestProgram(
      lateness: 100, echoDelay: 300, width: 2, sinkCount: 2, maximumFrameCount: block
    ).make()
    let source = ArraySource([sound, sound], sampleRate: 1000)
    let arrays = sinks(program)
    let driver = try OfflineDriver(
      program, sources: [try SourceFeed(source, capacity: 64)],
      sinks: try arrays.map { try SinkFeed($0, capacity: 64) })
    let report = try driver.run()
    #expect(report.outputs.map(\.overrunFrames) == [0, 0])
    let silence = [Float](repeating: 0, count: 300)
    let echoed = zip(sound + silence, silence + sound).map { $0 + 0.5 * $1 }
    #expect(arrays[0].channels == [echoed, echoed])
    #expect(arrays[1].channels == [sound + silence, sound + silence])
  }

  @Test func `a mono source feeds every channel`() throws {
    let program = try TestProgram(width: 2).make()
    let (outputs, _) = try render(program, [sound], tail: .frames(0))
    #expect(outputs[0] == [sound, sound])
  }

  @Test func `sources and sinks that do not fit the program are an error`() throws {
    let program = try TestProgram(width: 2).make()
    let three = ArraySource([sound, sound, sound], sampleRate: 1000)
    let otherRate = ArraySource([sound, sound], sampleRate: 999)
    for source in [three, otherRate] {
      let error = ioError {
        _ = try OfflineDriver(program, sources: [try SourceFeed(source)], sinks: [])
      }
      #expect(error?.code == .unsupportedFormat)
    }
    #expect(ioError { _ = try OfflineDriver(program, sources: [], sinks: []) } != nil)
  }

  @Test func `a sink that fails ends the render and leaves nothing`() throws {
    let program = try TestProgram(sinkCount: 2).make()
    let arrays = sinks(program)
    arrays[1].capacity = 20000
    let source = NullSource(format: StreamFormat(sampleRate: 1000, channelCount: 1))
    let driver = try OfflineDriver(
      program, sources: [try SourceFeed(source)], sinks: try arrays.map { try SinkFeed($0) })
    #expect(ioError { _ = try driver.run() }?.code == .diskFull)
    #expect(arrays.allSatisfy { $0.isAbandoned })
  }

  @Test func `a stop leaves the part that was rendered`() throws {
    let folder = TemporaryFolder()
    let program = try TestProgram(sampleRate: 44100).make()
    let format = StreamFormat(sampleRate: 44100, channelCount: 1)
    let sink = try FileSink.create(folder.file("take.wav"), format: format)
    let stop = StopSignal()
    let driver = try OfflineDriver(
      program, sources: [try SourceFeed(NullSource(format: format))], sinks: [try SinkFeed(sink)])
    let report = try driver.run(stop: stop) { progress in
      #expect(progress.totalFrames == nil || progress.totalFrames == progress.frames)
      stop.stop()
    }
    #expect(report.wasStopped)
    #expect(folder.names == ["take.partial.wav"])
    #expect(report.outputs[0].name == folder.file("take.partial.wav"))
    let kept = try FileSource.open(folder.file("take.partial.wav")).frameCount
    #expect(kept == report.outputs[0].frames)
  }

  @Test func `an empty chain turns MPEG audio into what the decoder gives`() throws {
    let folder = TemporaryFolder()
    let program = try TestProgram(sampleRate: 22050, maximumFrameCount: 256).make()
    let path = folder.file("out.wav")
    let sink = try FileSink.create(
      path, format: StreamFormat(sampleRate: 22050, channelCount: 1),
      encoding: FileEncoding(depth: .float32))
    let driver = try OfflineDriver(
      program, sources: [try SourceFeed(try FileSource.open(Fixture.audio("mono-vbr.mp3")))],
      sinks: [try SinkFeed(sink)], options: RenderOptions(tail: .frames(0)))
    _ = try driver.run()
    let decoded = try readAll(try FileSource.open(Fixture.audio("mono-vbr.mp3")))
    #expect(try readAll(try FileSource.open(path)) == decoded)
  }
}
