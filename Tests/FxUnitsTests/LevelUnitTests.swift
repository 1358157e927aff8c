import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `Level units` {
  @Test func `gain follows decibels, silence included`() throws {
    let input = [Signal.noise(100)]
    for (decibels, factor) in [(0.0, Float(1)), (-.infinity, 0), (-6.0206, 0.5)] {
      let output = try UnitRenderer(
        try builtIn("gain"), inputWidths: [1], parameters: ["gain": decibels]
      ).render(input)[0]
      for (sample, original) in zip(output, input[0]) {
        #expect(abs(sample - original * factor) < 1e-6)
      }
    }
  }

  @Test func `an inverted gain inverts the polarity, by a ramp through zero`() throws {
    let inverted = try UnitRenderer(
      try builtIn("gain"), inputWidths: [1], parameters: ["invert": 1, "gain": 0])
    #expect(inverted.render([[0.5, -0.25]])[0] == [-0.5, 0.25])
    let turning = try UnitRenderer(
      try builtIn("gain"), inputWidths: [1],
      motions: ["invert": .line(from: 0, to: 1, frames: 10..<110)])
    let output = turning.render([Signal.constant(0.5, 150)])[0]
    #expect(output[0] == 0.5 && output[149] == -0.5)
    #expect(Measured.largestStep(output) < 0.0101)
  }

  private func panned(_ pan: Double, law: String, _ input: [Float]) throws -> [Float] {
    try UnitRenderer(
      try builtIn("pan"), inputWidths: [input.count], options: ["law": .text(law)],
      parameters: ["pan": pan]
    ).render(input.map { [$0] }).map { $0[0] }
  }

  @Test func `pan laws have their centres and their ends`() throws {
    #expect(try panned(0, law: "balance", [0.8]) == [0.8, 0.8])
    #expect(try panned(0, law: "linear", [0.8]) == [0.4, 0.4])
    for side in try panned(0, law: "constantPower", [1]) { #expect(abs(side - 0.70711) < 1e-5) }
    for law in ["balance", "linear", "constantPower"] {
      #expect(try panned(-1, law: law, [0.8]) == [0.8, 0])
      #expect(try panned(1, law: law, [0.8, 0.6]) == [0, 0.6])
    }
    #expect(try panned(0.5, law: "balance", [0.8, 0.6]) == [0.4, 0.6])
    for pan in stride(from: -1.0, through: 1, by: 0.25) {
      let power = try panned(pan, law: "constantPower", [1]).reduce(0) { $0 + $1 * $1 }
      #expect(abs(power - 1) < 1e-6)
      #expect(try panned(pan, law: "linear", [1]).reduce(0, +) == 1)
    }
  }

  private static let panGains: [(law: String, pan: Double, gains: [Float])] = [
    ("balance", -0.5, [1, 0.5]), ("balance", 0.25, [0.75, 1]),
    ("linear", -0.5, [0.75, 0.25]), ("linear", 0.25, [0.375, 0.625]),
    ("constantPower", -0.5, [0.923_879_5, 0.382_683_4]),
    ("constantPower", 0.25, [0.555_570_2, 0.831_469_6]),
  ]

  @Test(arguments: panGains)
  func `a pan is as far to the left or right as its law says`(
    law: String, pan: Double, gains: [Float]
  ) throws {
    for (sample, gain) in zip(try panned(pan, law: law, [1]), gains) {
      #expect(abs(sample - gain) < 1e-6)
    }
    // Each side of a stereo signal stays on its side, also while the pan moves.
    let moving = try UnitRenderer(
      try builtIn("pan"), inputWidths: [2], options: ["law": .text(law)],
      motions: ["pan": .line(from: -pan, to: pan, frames: 2..<10)]
    ).render([Signal.constant(1, 12), Signal.constant(0.5, 12)])
    #expect(abs(moving[0][11] - gains[0]) < 1e-6)
    #expect(abs(moving[1][11] - 0.5 * gains[1]) < 1e-6)
    #expect(abs(moving[0][0] - gains[1]) < 1e-6)
  }

  @Test func `width goes from mono to doubled sides and leaves the middle exact`() throws {
    let input = [Signal.noise(50, seed: 1), Signal.noise(50, seed: 2)]
    func render(_ width: Double) throws -> [[Float]] {
      try UnitRenderer(try builtIn("width"), inputWidths: [2], parameters: ["width": width])
        .render(input)
    }
    #expect(try render(1) == input)
    let mono = try render(0)
    let wide = try render(2)
    for frame in 0..<50 {
      let (left, right) = (input[0][frame], input[1][frame])
      #expect(abs(mono[0][frame] - (left + right) / 2) < 1e-6)
      #expect(abs(mono[1][frame] - mono[0][frame]) < 1e-6)
      #expect(abs((wide[0][frame] - wide[1][frame]) - 2 * (left - right)) < 1e-6)
    }
  }

  /// The level in each output channel for one input channel at full scale.
  private func downmixed(_ channel: Int, of width: Int, to outputs: Double) throws -> [Float] {
    var input = [[Float]](repeating: [0], count: width)
    input[channel] = [1]
    return try UnitRenderer(
      try builtIn("downmix"), inputWidths: [width], options: ["channels": .number(outputs)]
    ).render(input).map { $0[0] }
  }

  @Test func `downmix follows BS.775 for 5.0 and 5.1`() throws {
    let half: Float = 0.707_106_77
    let stereo: [[Float]] = [[1, 0], [0, 1], [half, half], [0, 0], [half, 0], [0, half]]
    let mono: [[Float]] = [[half], [half], [1], [0], [0.5], [0.5]]
    for channel in 0..<6 {
      #expect(try downmixed(channel, of: 6, to: 2) == stereo[channel])
      #expect(try downmixed(channel, of: 6, to: 1) == mono[channel])
    }
    #expect(try downmixed(3, of: 5, to: 2) == stereo[4])
    #expect(try downmixed(4, of: 5, to: 1) == mono[5])
  }

  private func downmixed(
    _ channel: ChannelName, of name: String, to outputs: Double, revision: Int = 3,
    options: [String: OptionValue] = [:]
  ) throws -> [Float] {
    let layout = try #require(ChannelLayout(named: name))
    var input = [[Float]](repeating: [0], count: layout.channelCount)
    input[try #require(layout.channels.firstIndex(of: channel))] = [1]
    return try UnitRenderer(
      try builtIn("downmix@\(revision)"), inputWidths: [layout.channelCount],
      options: options.merging(["channels": .number(outputs)]) { $1 }, layout: layout
    ).render(input).map { $0[0] }
  }

  /// ITU-R BS.775-3, table 2.
  @Test func `downmix uses channel names where a layout is unusual`() throws {
    let half: Float = 0.707_106_77
    for (channel, stereo, mono): (ChannelName, [Float], Float) in [
      (.frontLeft, [1, 0], half), (.frontRight, [0, 1], half), (.frontCentre, [half, half], 1),
      (.lowFrequency, [0, 0], 0), (.sideLeft, [half, 0], 0.5), (.sideRight, [0, half], 0.5),
    ] {
      #expect(try downmixed(channel, of: "5.1(side)", to: 2) == stereo)
      #expect(abs(try downmixed(channel, of: "5.1(side)", to: 1)[0] - mono) < 1e-6)
    }
    #expect(try downmixed(.backCentre, of: "4.0", to: 2) == [0.5, 0.5])
    #expect(try downmixed(.lowFrequency, of: "2.1", to: 2) == [0, 0])
    #expect(try downmixed(.frontLeft, of: "3.0", to: 2) == [1, 0])
    for name in ["quad", "7.1"] {
      #expect(try downmixed(.frontLeft, of: name, to: 2) == [1, 0])
      #expect(try downmixed(.backRight, of: name, to: 2) == [0, half])
    }
    #expect(try downmixed(.frontCentre, of: "7.1", to: 2) == [half, half])
    #expect(try downmixed(.lowFrequency, of: "7.1", to: 2) == [0, 0])
    #expect(try downmixed(.sideLeft, of: "7.1", to: 2) == [half, 0])
  }

  @Test func `the first revision of downmix uses channel numbers`() throws {
    #expect(try downmixed(.backLeft, of: "quad", to: 2, revision: 1) == [0.5, 0])
    #expect(try downmixed(.frontCentre, of: "7.1", to: 2, revision: 1) == [0.25, 0])
    #expect(try downmixed(.lowFrequency, of: "7.1", to: 2, revision: 1) == [0, 0.25])
    #expect(try downmixed(.frontCentre, of: "3.0", to: 2, revision: 1) == [0.5, 0])
  }

  @Test func `downmix mixes the low-frequency channel by its option`() throws {
    let half: Float = 0.707_106_77
    for (choice, side, mono): (String, Float, Float) in [
      ("omit", 0, 0), ("include", half, 1), ("boost", 2.236_068, 3.162_278),
    ] {
      let options = ["lfe": OptionValue.text(choice)]
      #expect(try downmixed(.lowFrequency, of: "5.1", to: 2, options: options) == [side, side])
      let folded = try downmixed(.lowFrequency, of: "7.1", to: 1, options: options)[0]
      #expect(abs(folded - mono) < 1e-6)
    }
  }

  @Test(arguments: ["5.1", "7.1", "quad", "stereo"], [1.0, 2])
  func `a normalized downmix never exceeds full scale`(name: String, outputs: Double) throws {
    let layout = try #require(ChannelLayout(named: name))
    var sums: [Float] = [0, 0]
    for channel in layout.channels {
      let options = ["normalize": OptionValue.flag(true)]
      for (output, gain) in try downmixed(channel, of: name, to: outputs, options: options)
        .enumerated()
      {
        sums[output] += gain
      }
    }
    #expect(abs((sums.max() ?? 0) - 1) < 1e-6)
    #expect(try downmixed(.frontLeft, of: "stereo", to: 2) == [1, 0])
  }

  /// The two output samples for one frame of two channels.
  private func sidePanned(_ pan: Double, law: String, _ input: [Float]) throws -> [Float] {
    try UnitRenderer(
      try builtIn("pan"), inputWidths: [2],
      options: ["law": .text(law), "stereo": .text("pan")], parameters: ["pan": pan]
    ).render(input.map { [$0] }).map { $0[0] }
  }

  @Test func `a stereo pan moves the far side over`() throws {
    for law in ["balance", "linear", "constantPower"] {
      #expect(try sidePanned(0, law: law, [0.5, 0.25]) == [0.5, 0.25])
      #expect(try sidePanned(1, law: law, [0.5, 0.25]) == [0, 0.75])
      #expect(try sidePanned(-1, law: law, [0.5, 0.25]) == [0.75, 0])
    }
    #expect(try sidePanned(0.5, law: "linear", [0.5, 0.25]) == [0.25, 0.5])
    for (pan, moved) in [
      (1.0 / 3, try sidePanned(1.0 / 3, law: "constantPower", [1, 0])),
      (-1.0 / 3, try sidePanned(-1.0 / 3, law: "constantPower", [0, 1]).reversed()),
    ] {
      #expect(abs(moved[0] - 0.866_025_4) < 1e-6, "\(pan)")
      #expect(abs(moved[1] - 0.5) < 1e-6, "\(pan)")
    }
  }

  @Test func `width makes the bass mono and leaves higher frequencies`() throws {
    func render(_ hertz: Double, _ below: Double) throws -> [[Float]] {
      try UnitRenderer(
        try builtIn("width"), inputWidths: [2], parameters: ["monoBelow": below]
      ).render([Signal.tone(hertz, 24000), Signal.silence(24000)])
    }
    let bass = try render(30, 120)
    let side = zip(bass[0], bass[1]).map { $0 - $1 }
    // 30 Hz are two octaves below a high pass of 12 dB an octave.
    #expect(Measured.rmsLevel(side[12000...]) < -3 - 23.5)
    #expect(abs(Measured.rmsLevel(bass[0][12000...]) + 3 + 6) < 0.6)
    let treble = try render(3000, 120)
    #expect(Measured.rmsLevel(treble[1][12000...]) < -30)
    let off = try render(30, 10)
    #expect(off == [Signal.tone(30, 24000), Signal.silence(24000)])
  }

  @Test func `downmix averages channels without names`() throws {
    #expect(try downmixed(0, of: 1, to: 2) == [1, 1])
    #expect(try downmixed(1, of: 2, to: 2) == [0, 1])
    #expect(try downmixed(1, of: 2, to: 1) == [0.5])
    #expect(try downmixed(2, of: 3, to: 2) == [0.5, 0])
    #expect(try downmixed(6, of: 7, to: 2) == [0.25, 0])
    #expect(try downmixed(8, of: 9, to: 1) == [Float(1) / 9])
  }

  @Test func `a meter reads peak and RMS of each channel and changes nothing`() throws {
    let renderer = try UnitRenderer(try builtIn("meter"), inputWidths: [2], sampleRate: 8000)
    let readings = renderer.instance.readings
    #expect((0..<4).allSatisfy { readings[$0] == -.infinity })
    let input = [
      Signal.tone(1000, decibels: -6, sampleRate: 8000, 4000), Signal.constant(-0.25, 4000),
    ]
    #expect(renderer.render(input) == input)
    #expect(abs(readings[0] + 6) < 0.01)
    #expect(abs(readings[1] + 12.04) < 0.01)
    #expect(abs(readings[2] + 9.01) < 0.01)
    #expect(abs(readings[3] + 12.04) < 0.01)
    _ = renderer.render([Signal.silence(4000), Signal.silence(4000)])
    #expect(abs(readings[0] + 6) < 0.01)
    #expect(readings[2] == -.infinity)
    renderer.reset()
    #expect(readings[0] == -.infinity)
  }
}
