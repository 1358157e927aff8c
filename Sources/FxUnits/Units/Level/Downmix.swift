package import FxAudio

/// Mixes any number of channels to one or two.
///
/// Named channels follow ITU-R BS.775-3, table 2, by `StereoPlace`: to stereo,
/// `L + 0.7071 C + 0.7071 Ls`; to mono, `0.7071 (L + R) + C + 0.5 (Ls + Rs)`. These sums can exceed
/// full scale; `normalize` scales them so that they cannot. Five or six channels without names
/// count as 5.0 or 5.1. Other channels without names are averaged: all to mono, the odd ones to
/// left and the even ones to right. Stereo is averaged to mono in the same way, mono is copied to
/// stereo, and stereo stays unchanged in stereo.
///
/// Revision 1 averages all layouts but 5.0 and 5.1.
package struct Downmix: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "downmix", name: "Downmix", summary: "Folds any number of channels into one or two.",
    category: "channels", revision: 3,
    options: [
      OptionSpec(
        "channels", "The width of the output, 1 or 2.", .integer(1...2), default: .number(1)),
      OptionSpec(
        "lfe",
        "The low-frequency channel: omit leaves it out, include mixes it in like the centre, boost "
          + "with 10 dB more, as cinemas play it.",
        .choice(["omit", "include", "boost"]), default: .text("omit")),
      OptionSpec(
        "normalize", "Whether sums are scaled so that they cannot exceed full scale.", .flag,
        default: .flag(false)),
    ],
    outputs: [OutputBusSpec("out", width: .option("channels"), layout: .usual)],
    rendersInPlace: false)

  static var first: UnitSpec {
    var first = spec
    first.revision = 1
    first.options = first.options.filter { $0.key == "channels" }
    return first
  }

  package struct Parameters: BitwiseCopyable {}

  package static let entry = UnitEntry(
    render: { $0.kernel(Downmix.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Downmix.self)?.pointee.reset() })

  private let inputCount: Int
  private let outputCount: Int
  private let mix: MixKernel
  /// For each output, one factor per input.
  private let gains: UnsafeMutablePointer<Float>

  package init(_ preparation: Preparation) {
    inputCount = preparation.channelCount
    outputCount = preparation.outputWidths.first ?? 0
    mix = MixKernel()
    gains = .allocate(capacity: max(1, inputCount * outputCount))
    let made = Self.gains(preparation)
    for (index, gain) in made.enumerated() { (gains + index).initialize(to: gain) }
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      memory: preparation.channelCount * (preparation.outputWidths.first ?? 0)
        * MemoryLayout<Float>.stride)
  }

  deinit { gains.deallocate() }

  /// For each output, one factor per input.
  private static func gains(_ preparation: Preparation) -> [Float] {
    let inputCount = preparation.channelCount
    let outputCount = preparation.outputWidths.first ?? 0
    let lowFrequency: Float =
      switch preparation.text("lfe") {
      case "include": 0.707_106_77
      case "boost": 2.236_068
      default: 0
      }
    let names = names(preparation)
    let gains = (0..<outputCount).flatMap { output in
      (0..<inputCount).map { input in
        guard let name = names?[input] else {
          return gain(from: input, of: inputCount, to: output, of: outputCount)
        }
        let place = StereoPlace(name, lowFrequency: lowFrequency)
        if preparation.revision > 1 && outputCount == 1 { return place.mono }
        return place.gain(to: output, of: outputCount)
      }
    }
    guard preparation.flag("normalize") ?? false else { return gains }
    let sums = (0..<outputCount).map { output in
      gains[output * inputCount..<(output + 1) * inputCount].reduce(0) { $0 + abs($1) }
    }
    let largest = max(sums.max() ?? 1, 1)
    return gains.map { $0 / largest }
  }

  /// The names of the inputs, if the revision uses them.
  private static func names(_ preparation: Preparation) -> [ChannelName]? {
    let layout = preparation.layout
    let count = preparation.channelCount
    guard preparation.revision > 1, layout.channelCount == count, layout.isNamed else { return nil }
    return count > 2 || layout != .usual(count) ? layout.channels : nil
  }

  /// The factor from an input channel without a name to an output channel.
  private static func gain(
    from input: Int, of inputCount: Int, to output: Int, of outputCount: Int
  ) -> Float {
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
