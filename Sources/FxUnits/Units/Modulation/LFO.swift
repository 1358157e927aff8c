package import FxAudio

/// A low-frequency oscillator: a control signal that repeats its shape.
///
/// Its phase is 0 at frame 0 of the sound, where the sine and the triangle pass through 0 upwards.
package struct LFO: ~Copyable, UnitKernel {
  private enum Shape: String, CaseIterable {
    case sine, triangle, saw, square, sampleAndHold, smoothRandom
  }

  package static let spec = UnitSpec(
    "lfo", name: "LFO", summary: "A wave that repeats, from -1 to 1.",
    category: "modulation",
    parameters: [
      .modulatorRate("Periods a second.", default: 1),
      .modulatorPeriod("a period"),
      ParameterSpec(
        "phase", "How far it is ahead, as a share of the period.", .ratio, 0...1, default: 0),
      ParameterSpec(
        "width",
        "The share of a period that a sine or a triangle rises, that a square is up, or that a saw "
          + "takes to 0.", .ratio, 0...1, default: 0.5),
    ],
    options: [
      OptionSpec(
        "shape", "The waveform; the random ones take a new value every period.",
        .choice(Shape.allCases.map(\.rawValue)), default: .text(Shape.sine.rawValue))
    ],
    inputs: [], outputs: [.control("out", -1...1)])

  package struct Parameters: BitwiseCopyable {
    let rate: ParameterSignal
    let period: ParameterSignal
    let phase: ParameterSignal
    let width: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(LFO.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(LFO.self)?.pointee.reset() })

  private let shape: Shape
  private let noise: ValueNoise
  private var clock: PeriodClock

  package init(_ preparation: Preparation) {
    shape = preparation.text("shape").flatMap { Shape(rawValue: $0) } ?? .sine
    noise = ValueNoise(preparation)
    clock = PeriodClock(preparation)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let output = block.outputs[0]
    clock.begin()
    for frame in 0..<block.frameCount {
      let place = clock.place(
        of: block.frame + frame, rate: parameters.rate[frame], beats: parameters.period[frame],
        phase: parameters.phase[frame], in: block.time)
      output[frame] = Float(value(place, width: Double(parameters.width[frame])))
    }
  }

  @_noLocks @inline(__always)
  private func value(_ place: PeriodClock.Place, width: Double) -> Double {
    let share = place.share
    switch shape {
    case .sine: return Math.sin(LFO.turned(share, width: width) * 6.283_185_307_179_586)
    case .triangle:
      let turn = LFO.turned(share, width: width)
      return turn < 0.25 ? 4 * turn : (turn < 0.75 ? 2 - 4 * turn : 4 * turn - 4)
    case .saw: return share < width ? share / width - 1 : (share - width) / (1 - width)
    case .square: return share < width ? 1 : -1
    case .sampleAndHold: return noise.value(place.count)
    case .smoothRandom: return noise.value(place.count, at: share, way: 1)
    }
  }

  /// Converts the phase of a period whose rise has the share `width` to the phase of a symmetrical
  /// period. The two rising quarters and the falling half are stretched accordingly.
  @_noLocks @inline(__always)
  private static func turned(_ share: Double, width: Double) -> Double {
    let quarter = 0.5 * width
    if share < quarter { return share / (2 * width) }
    if share < 1 - quarter { return 0.25 + (share - quarter) / (2 * (1 - width)) }
    return 0.75 + (share - 1 + quarter) / (2 * width)
  }

  @_noLocks
  package mutating func reset() { clock.reset() }
}
