import FxAudio
import FxEngine
@testable import FxMedia
@testable import FxPlaying
import FxSoundTestSupport
import Testing

/// The tail of a performance while another thread calculates its length.
struct OutputTailTests {
  /// Renders until a stage has all frames to keep, and returns the frames of the file. At a frame
  /// it answers that the tail lasts `tail` frames after 100 frames of sound.
  private func written(tail: Int, answeredAt answerFrame: Int) throws -> [Float] {
    let program = try TestProgram().make()
    let file = ArraySink(StreamFormat(sampleRate: 1000, channelCount: 1))
    let feed = try SinkFeed(file)
    let stage = try OutputStage.make(program, [feed], tail: .declared(0), asksForTail: true)
    defer { stage.destroy() }
    stage.tailMayChange()
    stage.endMain(at: 100)
    let sound = staircase(4096)
    var frame = 0
    while !stage.isComplete {
      for index in 0..<64 { program.sourceBuffer(0, channel: 0)[index] = sound[frame + index] }
      program.renderer.render(frameCount: 64)
      _ = stage.askForTail(at: frame, frameCount: 64, changeCount: 0)
      if frame >= answerFrame, let question = stage.tailQuestion {
        #expect(question.frame == 100)
        stage.answer(question, until: 100 + tail)
      }
      stage.deliver(frameCount: 64)
      _ = stage.release()
      frame += 64
    }
    try feed.finish()
    let output = file.channels[0]
    #expect(output == Array(sound.prefix(output.count)))
    return output
  }

  @Test(arguments: [0, 20, 100, 300, 1000], [64, 256])
  func `frames rendered before the answer are kept as far as it says`(
    _ tail: Int, _ answerFrame: Int
  ) throws {
    #expect(try written(tail: tail, answeredAt: answerFrame).count == 100 + tail)
  }

  @Test func `an answer that is very late makes the tail longer, without a gap`() throws {
    #expect(try written(tail: 50, answeredAt: 2048).count > 150)
    #expect(try written(tail: 3000, answeredAt: 2048).count == 3100)
  }

  @Test func `a value that changes after the sound repeats the question where it takes effect`()
    throws
  {
    let program = try TestProgram().make()
    let stage = try OutputStage.make(program, [nil], tail: .declared(0), asksForTail: true)
    defer { stage.destroy() }
    stage.endMain(at: 100)
    #expect(!stage.askForTail(at: 64, frameCount: 64, changeCount: 1))
    stage.tailMayChange()
    #expect(!stage.askForTail(at: 0, frameCount: 64, changeCount: 1))
    #expect(stage.askForTail(at: 64, frameCount: 64, changeCount: 1))
    #expect(stage.tailQuestion?.frame == 100)
    #expect(!stage.askForTail(at: 128, frameCount: 64, changeCount: 1))
    #expect(stage.askForTail(at: 192, frameCount: 64, changeCount: 2))
    #expect(stage.tailQuestion?.frame == 192)
  }
}
