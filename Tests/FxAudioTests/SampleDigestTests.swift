@testable import FxAudio
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

  @Test func `one bit, the order, the length and the sign of zero change the digest`() {
    let samples: [Float] = [0.1, 0.2, 0]
    let others: [[Float]] = [
      [Float(0.1).nextUp, 0.2, 0], [0.2, 0.1, 0], [0.1, 0.2], [0.1, 0.2, 0, 0], [0.1, 0.2, -0.0],
    ]
    for other in others { #expect(digest([samples]) != digest([other])) }
  }

  private func soundDigest(_ pieces: [[Float]]) -> UInt64 {
    var digest = SoundDigest()
    for piece in pieces { digest.append(piece, frameCount: piece.count) }
    return digest.value
  }

  @Test func `the silence after a sound does not count, but silence within it does`() {
    let sound: [Float] = [0, 0.5, 0, -0.0, 0, 0.25]
    let whole = soundDigest([sound])
    #expect(soundDigest([sound, [0, 0], [], [0]]) == whole)
    for cut in 0...sound.count {
      #expect(soundDigest([Array(sound[..<cut]), Array(sound[cut...])]) == whole, "\(cut)")
    }
    #expect(soundDigest([[0, 0.5, 0, 0, 0, 0.25]]) != whole)
    #expect(soundDigest([[0.5, 0, -0.0, 0, 0.25]]) != whole)
    #expect(soundDigest([]) == soundDigest([[0, 0]]))
  }
}
