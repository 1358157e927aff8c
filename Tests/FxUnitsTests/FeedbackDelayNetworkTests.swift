import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct FeedbackDelayNetworkTests {
  private static let lengths = [31, 37, 41, 47, 53, 59, 61, 67]

  @Test func `the matrix keeps the energy`() {
    var network = FeedbackDelayNetwork(
      lengths: Self.lengths, sampleRate: 8000, maximumFrameCount: 16)
    // The decay is so long that no energy is lost within the test.
    let damping = network.damping(decay: 100_000, halving: 4000)
    var left = Signal.impulse(20)
    let silence = Signal.silence(20)
    var energies: [Double] = []
    var energy = 0.0
    for block in 0..<600 {
      var rest = 16
      while rest > 0 {
        let stretch = network.stretch(rest)
        network.read(frameCount: stretch, damping: damping)
        for line in 0..<8 {
          for frame in 0..<stretch {
            let sample = Double(network.output(line)[frame])
            energy += sample * sample
          }
        }
        network.write(left: left, right: silence, frameCount: stretch)
        left = silence
        rest -= stretch
      }
      if block % 200 == 199 {
        energies.append(energy)
        energy = 0
      }
    }
    // Energy passes the outputs about once every mean length, 49.5 frames.
    for passed in energies { #expect(abs(passed / (4 * 3200 / 49.5) - 1) < 0.15) }
  }

  @Test func `blocks are no longer than the shortest line`() {
    let network = FeedbackDelayNetwork(
      lengths: Self.lengths, sampleRate: 8000, maximumFrameCount: 64)
    #expect(network.maximumFrameCount == 31)
  }

  @Test func `all-passes in a row keep the energy and smear the impulse`() {
    let chain = Diffuser(lengths: [5, 11, 17], gains: [0.7, 0.6, 0.5])
    var energy = 0.0
    var peak: Float = 0
    for block in 0..<200 {
      var signal = block == 0 ? Signal.impulse(5) : Signal.silence(5)
      chain.process(&signal, count: 5, diffusion: 1, step: 0, place: 0)
      for sample in signal { energy += Double(sample) * Double(sample) }
      peak = max(peak, Measured.peak(signal))
    }
    #expect(abs(energy - 1) < 1e-5)
    #expect(peak < 0.5)
  }
}
