import FxAudio
@testable import FxLV2
import Testing

@Suite struct LatencyTests {
  @Test(arguments: [0, 1, 48, 777])
  func `the output is late by the reported latency`(_ length: Int) throws {
    let values = ["length": Double(length)]
    let delay = try fixture("latent").made(values)
    #expect(delay.latency == length)
    var impulse = [Float](repeating: 0, count: 1000)
    impulse[5] = 1
    let output = delay.render([impulse], block: 100, values)[0]
    #expect(output.firstIndex(of: 1) == length + 5)
  }

  @Test func `reading the latency does not change the instance that renders`() throws {
    let delay = try fixture("latent").made()
    // The fixture marks the first block that an instance ever renders.
    #expect(delay.render([[0, 0]])[0] == [100, 0])
  }
}
