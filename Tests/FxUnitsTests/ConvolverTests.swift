import FxAudio
import FxTestSupport
import FxUnits
import Testing

/// The impulse is a sound that an option names.
@Suite struct `A convolver` {
  private func renderer(
    _ impulse: [[Float]], channels: Int = 1, parameters: [String: Double] = [:]
  ) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "convolver" })
    return try UnitRenderer(
      type, inputWidths: [channels], options: ["impulse": .sound("a.wav")],
      sounds: ["a.wav": SoundAsset(impulse)], parameters: parameters)
  }

  /// The sum of products, in double precision, at some frames.
  private func reference(_ input: [Float], _ impulse: [Float], at frame: Int) -> Double {
    var sum = 0.0
    for tap in impulse.indices where frame >= tap && frame - tap < input.count {
      sum += Double(impulse[tap]) * Double(input[frame - tap])
    }
    return sum
  }

  // Lengths around every border between the direct part and the levels of partitions.
  @Test(arguments: [1, 2, 63, 64, 65, 96, 511, 512, 513, 1400, 4096, 4097, 12000])
  func `is the convolution with its impulse`(_ length: Int) throws {
    let impulse = Signal.noise(length, seed: 3)
    let input = Signal.noise(6000, seed: 4) + Signal.silence(length)
    let output = try renderer([impulse]).render([input])[0]
    var power = 0.0
    var error = 0.0
    let step = max(1, length / 100)
    for frame in stride(from: 0, to: output.count, by: step) {
      let wanted = reference(input, impulse, at: frame)
      power += wanted * wanted
      error += (Double(output[frame]) - wanted) * (Double(output[frame]) - wanted)
    }
    #expect(error <= power * 1e-12, "\(error / power)")
  }

  @Test func `gives each channel its own impulse`() throws {
    let (left, right) = (Signal.noise(700, seed: 1), Signal.noise(700, seed: 2))
    let input = Signal.noise(2000, seed: 5)
    let both = try renderer([left, right], channels: 2).render([input, input])
    #expect(
      both == [try renderer([left]).render([input])[0], try renderer([right]).render([input])[0]])
  }

  @Test func `is heard at once and ends with its impulse`() throws {
    var impulse = Signal.silence(5000)
    impulse[0] = 1
    impulse[4999] = 0.5
    let renderer = try renderer([impulse])
    #expect(renderer.instance.latency == 0)
    #expect(renderer.instance.tail == .frames(5000))
    let output = renderer.render([Signal.impulse(6000, at: 10)])[0]
    #expect(abs(output[10] - 1) < 1e-6)
    #expect(abs(output[5009] - 0.5) < 1e-6)
    #expect(output[5010...].allSatisfy { abs($0) < 1e-6 })
  }

  @Test func `has a level`() throws {
    let plain = try renderer([[0.5]]).render([[1, 0, 0]])[0]
    let louder = try renderer([[0.5]], parameters: ["gain": 20]).render([[1, 0, 0]])[0]
    #expect(plain[0] == 0.5)
    #expect(abs(louder[0] - 5) < 1e-5)
  }
}
