import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

/// Renders arrays through a cascade, cut into blocks, with sections set at given frames.
private func filtered(
  _ input: [[Float]], sections: [FilterSection], blocks: [Int] = [256], vectorLevel: Int? = nil
) -> [[Float]] {
  cascaded(input, sections, vectorLevel: vectorLevel) { cascade, block in
    var start = 0
    var cut = 0
    while start < block.frameCount {
      let end = min(block.frameCount, start + blocks[min(cut, blocks.count - 1)])
      cascade.render(block, from: start, to: end)
      start = end
      cut += 1
    }
  }
}

/// The cookbook's biquad, evaluated on the unit circle.
private func cookbookLevel(
  _ shape: FilterShape, _ frequency: Double, q: Double, decibels: Double, at hertz: Double,
  sampleRate: Double
) -> Double {
  let (sine, cosine) = Math.sinCos(2 * Double.pi * frequency / sampleRate)
  let alpha = sine / (2 * q)
  let a = Math.pow(10, decibels / 40)
  let root = 2 * Math.squareRoot(a) * alpha
  let b: [Double]
  let d: [Double]
  let plain = [1 + alpha, -2 * cosine, 1 - alpha]
  switch shape {
  case .lowPass: (b, d) = ([(1 - cosine) / 2, 1 - cosine, (1 - cosine) / 2], plain)
  case .highPass: (b, d) = ([(1 + cosine) / 2, -1 - cosine, (1 + cosine) / 2], plain)
  case .bandPass: (b, d) = ([alpha, 0, -alpha], plain)
  case .notch: (b, d) = ([1, -2 * cosine, 1], plain)
  case .allPass: (b, d) = ([1 - alpha, -2 * cosine, 1 + alpha], plain)
  case .peak:
    b = [1 + alpha * a, -2 * cosine, 1 - alpha * a]
    d = [1 + alpha / a, -2 * cosine, 1 - alpha / a]
  case .lowShelf:
    b = [
      a * ((a + 1) - (a - 1) * cosine + root), 2 * a * ((a - 1) - (a + 1) * cosine),
      a * ((a + 1) - (a - 1) * cosine - root),
    ]
    d = [
      (a + 1) + (a - 1) * cosine + root, -2 * ((a - 1) + (a + 1) * cosine),
      (a + 1) + (a - 1) * cosine - root,
    ]
  case .highShelf:
    b = [
      a * ((a + 1) + (a - 1) * cosine + root), -2 * a * ((a - 1) + (a + 1) * cosine),
      a * ((a + 1) + (a - 1) * cosine - root),
    ]
    d = [
      (a + 1) - (a - 1) * cosine + root, 2 * ((a - 1) - (a + 1) * cosine),
      (a + 1) - (a - 1) * cosine - root,
    ]
  case .gentleLowPass, .gentleHighPass, .gentleAllPass, .gentleLowShelf, .gentleHighShelf, .tilt:
    return .nan
  case .level: return decibels
  }
  func magnitude(_ c: [Double]) -> Double {
    let (s1, c1) = Math.sinCos(2 * Double.pi * hertz / sampleRate)
    let (s2, c2) = Math.sinCos(4 * Double.pi * hertz / sampleRate)
    let real = c[0] + c[1] * c1 + c[2] * c2
    let imaginary = c[1] * s1 + c[2] * s2
    return Math.squareRoot(real * real + imaginary * imaginary)
  }
  return Math.decibels(amplitude: magnitude(b) / magnitude(d))
}

@Suite struct `Filter sections` {
  @Test(arguments: FilterShape.allCases.filter { !$0.rawValue.hasPrefix("gentle") && $0 != .tilt })
  func `have the responses of the cookbook`(_ shape: FilterShape) {
    for (frequency, q, decibels) in [(1000.0, 0.7, 6.0), (300.0, 3.0, -12.0), (15000.0, 1.0, 9.0)] {
      let section = FilterSection(
        shape, frequency: frequency, quality: q, amplitude: Math.amplitude(decibels: decibels),
        sampleRate: 48000)
      let response = filtered([Signal.impulse(4096)], sections: [section])[0]
      for hertz in [60.0, 250, 1100, 5000, 14000, 20000] {
        let expected = cookbookLevel(
          shape, frequency, q: q, decibels: decibels, at: hertz, sampleRate: 48000)
        guard expected > -60 else { continue }
        #expect(
          abs(Measured.response(of: response, at: hertz) - expected) < 0.005,
          "\(shape) \(frequency) at \(hertz)")
      }
    }
  }

  @Test(arguments: Butterworth.orders)
  func `in a Butterworth cascade follow its law`(_ order: Int) {
    let sections = (0..<Butterworth.sectionCount(order: order)).map { index in
      Butterworth.isFirstOrder(section: index, order: order)
        ? FilterSection(.gentleLowPass, frequency: 500, sampleRate: 48000)
        : FilterSection(
          .lowPass, frequency: 500, quality: Butterworth.q(section: index, order: order),
          sampleRate: 48000)
    }
    let response = filtered([Signal.impulse(4096)], sections: sections)[0]
    #expect(abs(Measured.response(of: response, at: 500) + 3.0103) < 0.01)
    #expect(abs(Measured.response(of: response, at: 20)) < 0.01)
    for hertz in [300.0, 1000, 2000] {
      // 10 lg(1 + (f / fc)^2n) of the prewarped frequencies.
      let ratio = Math.tan(Double.pi * hertz / 48000) / Math.tan(Double.pi * 500 / 48000)
      let expected = -10 * Math.log(1 + Math.pow(ratio, 2 * Double(order))) / Math.log(10)
      #expect(abs(Measured.response(of: response, at: hertz) - expected) < 0.02, "\(hertz) Hz")
    }
  }

  @Test func `of high order and low frequency leave no offset and no noise`() {
    let section = FilterSection(.highPass, frequency: 20, sampleRate: 96000)
    let output = filtered([Signal.constant(0.9, 96000 / 2)], sections: [section])[0]
    #expect(Measured.peakLevel(Array(output.suffix(4000))) < -160)
  }

  @Test func `at or above half the sample rate count as just below`() {
    for shape in FilterShape.allCases {
      for frequency in [22000.0, 24000, 1e9, 0, -5, .nan] {
        let section = FilterSection(shape, frequency: frequency, amplitude: 2, sampleRate: 44100)
        let output = filtered([Signal.noise(500)], sections: [section])[0]
        let isFinite = output.allSatisfy(\.isFinite)
        #expect(isFinite, "\(shape) at \(frequency)")
      }
    }
  }

  @Test(arguments: [0.1, 0.5, 0.7071, 3, 40]) func `ring no longer than declared`(_ q: Double) {
    for (shape, frequency) in [(FilterShape.lowPass, 2000.0), (.highPass, 300), (.peak, 9000)] {
      let section = FilterSection(
        shape, frequency: frequency, quality: q, amplitude: 4, sampleRate: 48000)
      let frames = Int(section.ringingFrames)
      guard frames < 20000 else { continue }
      let input = Signal.noise(100) + Signal.silence(frames + 50)
      let output = filtered([input], sections: [section])[0]
      #expect(Measured.peakLevel(Array(output[(100 + frames)...])) < -90, "\(shape) q \(q)")
    }
  }
}

@Suite struct `A filter cascade` {
  private func sections(_ count: Int) -> [FilterSection] {
    (0..<count).map { index in
      FilterSection(
        FilterShape.allCases[index % 8], frequency: 100 * Double(index + 1) + 40,
        quality: 0.8, amplitude: index % 2 == 0 ? 1.5 : 0.7, sampleRate: 48000)
    }
  }

  @Test(arguments: [1, 2, 3, 5, 8, 10, 12, 13, 27])
  func `gives the same bits for every split and every instruction set`(_ count: Int) {
    let input = [
      Signal.noise(300, seed: 1), Signal.noise(300, seed: 2), Signal.noise(300, seed: 3),
    ]
    let reference = filtered(input, sections: sections(count), blocks: [300], vectorLevel: 0)
    for level in 0...3 {
      for blocks in [[1], [5], [16], [300], [100, 1, 1, 30, 2]] {
        #expect(
          filtered(input, sections: sections(count), blocks: blocks, vectorLevel: level)
            == reference, "level \(level), blocks \(blocks)")
      }
    }
  }

  @Test(arguments: 1...13)
  func `gives silence the same sign with every instruction set`(_ count: Int) {
    // High passes make -0 of -0.
    let sections = [FilterSection](
      repeating: FilterSection(.highPass, frequency: 200, sampleRate: 48000), count: count)
    let input = [[Float](repeating: -0.0, count: 64)]
    func signs(_ level: Int) -> [FloatingPointSign] {
      filtered(input, sections: sections, vectorLevel: level)[0].map(\.sign)
    }
    for level in 1...3 { #expect(signs(level) == signs(0), "level \(level)") }
  }

  @Test func `has the same bits on every processor and build`() {
    let input = [Signal.noise(2000, seed: 1), Signal.noise(2000, seed: 2)]
    let output = filtered(input, sections: sections(10))
    #expect(Measured.fingerprint(output) == 17_611_562_054_163_519_944)
  }

  @Test func `filters each channel as if it were alone`() {
    let input = (0..<5).map { Signal.noise(200, seed: UInt64($0)) }
    let together = filtered(input, sections: sections(3))
    for channel in 0..<5 {
      #expect(filtered([input[channel]], sections: sections(3))[0] == together[channel])
    }
  }

  @Test func `without sections passes the signal on`() {
    let input = [Signal.noise(100)]
    #expect(filtered(input, sections: []) == input)
    #expect(filtered(input, sections: [FilterSection(), FilterSection()]) == input)
  }
}
