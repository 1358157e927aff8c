package import FxAudio
import FxDSP

/// Folds any number of channels into one or two.
///
/// 5.0 and 5.1 follow ITU-R BS.775-3, table 2: to stereo, `L + 0.7071 C + 0.7071 Ls`; to mono,
/// `0.7071 (L + R) + C + 0.5 (Ls + Rs)`; the LFE is left out. So do other layouts with names, by
/// `StereoPlace`. These sums can exceed full scale. Where the channels have no names, or the layout
/// is the usual one of another width, they are averaged: all channels to mono, the odd ones to left
/// and the even ones to right, so that mono is copied and stereo to stereo is unchanged.
///
/// Revision 1 knows channels by their number alone.
package struct Downmix: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "downmix", name: "Downmix", summary: "Folds any number of channels into one or two.",
    category: "channels", revision: 2,
    options: [
      OptionSpec(
        "channels", "The width of the output, 1 or 2.", .integer(1...2), default: .number(1))
    ],
    outputs: [OutputBusSpec("out", width: .option("channels"), layout: .usual)],
    rendersInPlace: false)

  package static var first: UnitSpec {
    var first = spec
    first.revision = 1
    return first
  }

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(Downmix.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Downmix.self)?.pointee.reset() })

  private let inputCount: Int
  private let outputCount: Int
  private let mix: MixKernel
  /// Output by output, a factor an input.
  private let gains: UnsafeMutablePointer<Float>

  package init(_ preparation: Preparation) {
    inputCount = preparation.channelCount
    outputCount = preparation.outputWidths.first ?? 0
    mix = MixKernel()
    gains = .allocate(capacity: max(1, inputCount * outputCount))
    let layout = preparation.layout
    let hasNames =
      preparation.revision > 1 && layout.channelCount == inputCount && layout.isNamed
      && layout != .usual(inputCount)
    let places = hasNames ? layout.channels.map(StereoPlace.init) : []
    for output in 0..<outputCount {
      for input in 0..<inputCount {
        (gains + (output * inputCount + input)).initialize(
          to: hasNames
            ? places[input].gain(to: output, of: outputCount)
            : Self.gain(from: input, of: inputCount, to: output, of: outputCount))
      }
    }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      memory: preparation.channelCount * (preparation.outputWidths.first ?? 0)
        * MemoryLayout<Float>.stride)
  }

  deinit { gains.deallocate() }

  /// The factor that an input channel has in an output channel.
  static func gain(from input: Int, of inputCount: Int, to output: Int, of outputCount: Int)
    -> Float
  {
    let half: Float = 0.707_106_77
    if inputCount == 5 || inputCount == 6 {
      let stereo: [[Float]] = [[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]
      let mono: [Float] = [half, half, 1, 0, 0.5, 0.5]
      // 5.0 has no LFE.
      let position = inputCount == 5 && input > 2 ? input + 1 : input
      return outputCount == 1 ? mono[position] : stereo[min(output, 1)][position]
    }
    if outputCount == 1 { return 1 / Float(inputCount) }
    if inputCount == 1 { return 1 }
    guard input % 2 == output else { return 0 }
    return 1 / Float((inputCount + 1 - output) / 2)
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    for output in 0..<outputCount {
      mix.render(
        block.inputs, gains + output * inputCount, inputCount, gain: 1,
        to: block.outputs[output], block.frameCount)
    }
  }

  @_noLocks
  package mutating func reset() {}
}
