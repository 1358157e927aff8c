import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct LinkwitzRileyNetworkTests {
  /// The bands of a mono signal at 48 kHz, and the blocks after which the network is at rest.
  private func split(
    _ input: [Float], order: Int, crossovers: [Double], block: Int = 64
  ) -> (bands: [[Float]], resting: [Int]) {
    let bandCount = crossovers.count + 1
    var network = LinkwitzRileyNetwork(
      order: order, bandCount: bandCount, channelCount: 1, sampleRate: 48000)
    for (index, frequency) in crossovers.enumerated() { network.set(index, frequency: frequency) }
    let source = UnsafeMutablePointer<Float>.allocate(capacity: block)
    let buffers = (0..<bandCount).map { _ in
      UnsafeMutablePointer<Float>.allocate(capacity: block)
    }
    defer { for buffer in buffers + [source] { buffer.deallocate() } }
    var bands = [[Float]](repeating: [], count: bandCount)
    var resting: [Int] = []
    for start in stride(from: 0, to: input.count, by: block) {
      let count = min(block, input.count - start)
      for frame in 0..<count { source[frame] = input[start + frame] }
      withUnsafePointer(to: ParameterSignal(constant: 0)) { parameters in
        [UnsafePointer(source)].withUnsafeBufferPointer { inputs in
          buffers.withUnsafeBufferPointer { outputs in
            guard let inputs = inputs.baseAddress, let outputs = outputs.baseAddress else { return }
            let place = RenderBlock(
              inputs: inputs, inputCount: 1, outputs: outputs, outputCount: bandCount,
              frameCount: count, frame: start, parameters: parameters)
            network.render(place, from: 0, to: count)
          }
        }
      }
      for (band, buffer) in buffers.enumerated() { bands[band] += (0..<count).map { buffer[$0] } }
      if network.isAtRest { resting.append(start / block) }
    }
    return (bands, resting)
  }

  @Test(arguments: [2, 4, 6, 8]) func `both sides of a crossover have half of the amplitude there`(
    order: Int
  ) {
    let (bands, _) = split(Signal.impulse(16384), order: order, crossovers: [1000])
    for band in bands { #expect(abs(Measured.response(of: band, at: 1000) + 6.0206) < 0.01) }
    // An octave away: 1 / (1 + 2^order), a little less above it, towards half the sample rate.
    let far = Math.decibels(amplitude: 1 / (1 + Math.pow(2, Double(order))))
    #expect(abs(Measured.response(of: bands[0], at: 2000) - far) < 0.35)
    #expect(abs(Measured.response(of: bands[1], at: 500) - far) < 0.35)
  }

  @Test(arguments: [2, 4, 6, 8]) func `the bands add up to the level of the signal`(order: Int) {
    let (bands, _) = split(Signal.impulse(16384), order: order, crossovers: [200, 1000, 6000])
    let sum = (0..<16384).map { frame in bands.reduce(0) { $0 + $1[frame] } }
    for hertz in [50.0, 200, 450, 1000, 3000, 6000, 15000] {
      #expect(abs(Measured.response(of: sum, at: hertz)) < 0.01, "\(hertz)")
    }
  }

  @Test(arguments: [4, 8], [[30.0], [300], [300, 5000]])
  func `a network at rest gives zeros of one sign`(order: Int, crossovers: [Double]) throws {
    let sounds = [Signal.noise(100), Signal.constant(1, 2000)]
    for sound in crossovers[0] < 100 ? Array(sounds[..<1]) : sounds {
      let input = sound + Signal.silence(Int(6e6 / crossovers[0]))
      let (bands, resting) = split(input, order: order, crossovers: crossovers)
      let first = try #require(resting.first { $0 * 64 > sound.count })
      #expect(!resting.contains { $0 * 64 < sound.count })
      for band in bands {
        let tail = band[((first + 1) * 64)...]
        #expect(tail.allSatisfy { $0.bitPattern == tail.first?.bitPattern } && tail.first == 0)
      }
    }
  }
}
