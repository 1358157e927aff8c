import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// The impulse is a sound that an option names.
@Suite struct `A convolver` {
  private func renderer(
    _ impulse: [[Float]], channels: Int = 1, parameters: [String: Double] = [:],
    options: [String: OptionValue] = [:]
  ) throws -> UnitRenderer {
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "convolver" })
    let own: [String: OptionValue] = ["impulse": .sound("a.wav"), "then": .text("")]
    return try UnitRenderer(
      type, inputWidths: [channels], options: own.merging(options) { $1 },
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

  @Test(arguments: [(1, 1), (1, 2), (2, 1), (2, 2), (4, 1), (1, 4), (2, 4), (4, 2), (4, 4)])
  func `convolves two impulses into one`(_ widths: (Int, Int)) throws {
    func impulse(_ width: Int, seed: Int) -> [[Float]] {
      (0..<width).map {
        Signal.noise(300 + 10 * seed, seed: UInt64(10 * seed + $0), amplitude: 0.1)
      }
    }
    let (first, second) = (impulse(widths.0, seed: 1), impulse(widths.1, seed: 2))
    let type = try #require(BuiltInUnits.all.first { $0.spec.id == "convolver" })
    let folded = try UnitRenderer(
      type, inputWidths: [2], options: ["impulse": .sound("a.wav"), "then": .sound("b.wav")],
      sounds: ["a.wav": SoundAsset(first), "b.wav": SoundAsset(second)])
    let input = [Signal.noise(1500, seed: 8), Signal.noise(1500, seed: 9)]
    let apart = try renderer(second, channels: 2).render(renderer(first, channels: 2).render(input))
    for (one, other) in zip(folded.render(input), apart) {
      #expect(Measured.difference(one, other) < -100)
    }
    #expect(folded.instance.tail == .frames(310 + 320 - 1))
  }

  @Test func `has no latency and ends with its impulse`() throws {
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

  @Test func `routes each channel to each with four impulses`() throws {
    let impulses = (0..<4).map { Signal.noise(700, seed: UInt64($0 + 1)) }
    let input = [Signal.noise(2000, seed: 8), Signal.noise(2000, seed: 9)]
    let output = try renderer(impulses, channels: 2).render(input)
    for frame in stride(from: 0, to: 2000, by: 37) {
      for side in 0..<2 {
        let wanted =
          reference(input[0], impulses[side], at: frame)
          + reference(input[1], impulses[2 + side], at: frame)
        #expect(abs(Double(output[side][frame]) - wanted) < 1e-4)
      }
    }
  }

  @Test func `shapes its impulse`() throws {
    let impulse: [Float] = [0, 0, 0.0001, 0.5, 0.25, 0]
    func taps(_ options: [String: OptionValue]) throws -> [Float] {
      try renderer([impulse], options: options).render([Signal.impulse(12)])[0]
    }
    #expect(try taps(["trim": .flag(true)])[0..<3] == [0.5, 0.25, 0])
    #expect(try taps(["reverse": .flag(true)])[0..<4] == [0, 0.25, 0.5, 0.0001])
    let energy = try taps(["normalize": .flag(true)]).reduce(0) { $0 + $1 * $1 }
    #expect(abs(energy - 1) < 1e-5)
    let wide = (0..<200).map { Float(Math.sin(Double($0) * 0.1)) }
    let stretched = try renderer([wide], options: ["stretch": .number(2)])
      .render([Signal.impulse(400)])[0]
    for frame in 100..<300 {
      #expect(abs(2 * Double(stretched[frame]) - Math.sin(Double(frame) * 0.05)) < 1e-3)
    }
    #expect(try renderer([wide], options: ["stretch": .number(2)]).instance.tail == .frames(400))
  }

  @Test(arguments: ["convolver", "convolver@1"])
  func `with four normalized impulses noise keeps its level, and is 3 dB louder in revision 1`(
    _ name: String
  ) throws {
    let impulses = (0..<4).map { Signal.noise(300, seed: UInt64($0 + 1)) }
    let unit = try UnitRenderer(
      builtIn(name), inputWidths: [2],
      options: ["impulse": .sound("four.wav"), "then": .text(""), "normalize": .flag(true)],
      sounds: ["four.wav": SoundAsset(impulses)])
    let input = [Signal.noise(48000, seed: 8), Signal.noise(48000, seed: 9)]
    let change =
      zip(unit.render(input), input).map {
        Measured.rmsLevel($0[400...]) - Measured.rmsLevel($1)
      }.reduce(0, +) / 2
    #expect(abs(change - (name == "convolver" ? 0 : 3.01)) < 0.3)
  }

  @Test func `has a level`() throws {
    let plain = try renderer([[0.5]]).render([[1, 0, 0]])[0]
    let louder = try renderer([[0.5]], parameters: ["gain": 20]).render([[1, 0, 0]])[0]
    #expect(plain[0] == 0.5)
    #expect(abs(louder[0] - 5) < 1e-5)
  }
}
