package import FxAudio
import FxDSP

/// Multiplies a sound by a sine: each of its frequencies becomes two, the sum and the difference.
package struct RingModulator: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "ringModulator", name: "Ring modulator",
    summary: "Multiplies a sound by a sine, which makes sums and differences of frequencies.",
    category: "movement",
    parameters: [
      .frequency("frequency", "That of the sine.", 1...20000, default: 440),
      Swing.spread(0),
    ],
    presets: [
      UnitPreset("robot", "A voice of tin.", ["frequency": 50]),
      UnitPreset("bells", "Tones of no key.", ["frequency": 740]),
    ])

  package struct Parameters: BitwiseCopyable {
    let frequency: ParameterSignal
    let spread: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(RingModulator.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(RingModulator.self)?.pointee.reset() })

  private let channelCount: Int
  private var clock: PeriodClock

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    clock = PeriodClock(preparation)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    clock.begin()
    for frame in 0..<block.frameCount {
      let share = clock.place(
        of: block.frame + frame, rate: parameters.frequency[frame], beats: 0, phase: 0,
        in: block.time
      ).share
      let spread = Double(parameters.spread[frame])
      let first = Float(Math.sin(2 * .pi * share))
      let second =
        spread == 0 || channelCount < 2 ? first : Float(Math.sin(2 * .pi * (share + spread)))
      for channel in 0..<channelCount {
        block.outputs[channel][frame] =
          (channel & 1 == 0 ? first : second) * block.inputs[channel][frame]
      }
    }
  }

  @_noLocks
  package mutating func reset() { clock.reset() }
}
