import FxAudio
import Testing

@Suite struct SampleDigestTests {
  private func digest(_ pieces: [[Float]]) -> UInt64 {
    var digest = SampleDigest()
    for piece in pieces { digest.append(piece, frameCount: piece.count) }
    return digest.value
  }

  @Test func `the same samples in other pieces have the same digest`() {
    let whole: [Float] = [0, 0.5, -0.25, 1e-9, 0]
    #expect(digest([whole]) == digest([[0], [0.5, -0.25], [], [1e-9, 0]]))
  }

  @Test func `one bit, an order, a length and a sign of zero show`() {
    let samples: [Float] = [0.1, 0.2, 0]
    let others: [[Float]] = [
      [Float(0.1).nextUp, 0.2, 0], [0.2, 0.1, 0], [0.1, 0.2], [0.1, 0.2, 0, 0], [0.1, 0.2, -0.0],
    ]
    for other in others { #expect(digest([samples]) != digest([other])) }
  }
}
