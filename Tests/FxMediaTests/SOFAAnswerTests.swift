import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import Testing

/// What the process that reads a SOFA file may answer.
@Suite struct SOFAAnswerTests {
  private let count = HeadGrid.channelCount

  private func failure(_ bytes: [UInt8]) -> Failure? {
    ioError { _ = try SOFAAnswer.read(bytes, "a.sofa") }
  }

  @Test func `a sound comes back`() throws {
    let samples = (0..<2 * count).map { Float($0) / Float(2 * count) }
    let sound = try SOFAAnswer.read(SOFAAnswer.bytes(samples, frameCount: 2), "a.sofa")
    #expect(sound.channelCount == count && sound.frameCount == 2 && sound.samples == samples)
  }

  @Test(arguments: [Float.nan, .infinity, -.infinity, 1e30])
  func `an impossible sample is damage`(_ value: Float) {
    var samples = [Float](repeating: 0.5, count: count)
    samples[count - 1] = value
    #expect(failure(SOFAAnswer.bytes(samples, frameCount: 1))?.code == .damaged)
  }

  @Test func `an answer of another size is damage`() {
    let whole = SOFAAnswer.bytes([Float](repeating: 0, count: count), frameCount: 1)
    for bytes in [[], Array(whole.prefix(12)), Array(whole.dropLast()), whole + [0]] {
      #expect(failure(bytes)?.code == .damaged)
    }
    let samples = [Float](repeating: 0, count: count)
    for frames in [0, -1, 2, 1 << 40, Int.max] {
      #expect(failure(SOFAAnswer.bytes(samples, frameCount: frames))?.code == .damaged)
    }
  }

  @Test func `each failure has a message of its own`() {
    let failures: [SOFAAnswer.Refusal] = [.noLibrary, .unreadable, .tooLong, .damaged]
    let messages = failures.compactMap { failure(SOFAAnswer.bytes($0, 10_004))?.message }
    #expect(Set(messages).count == 4)
    #expect(messages[1].contains("error 10004"))
  }
}
