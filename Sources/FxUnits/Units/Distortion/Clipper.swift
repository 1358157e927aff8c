import FxAudio

/// Clips what is louder than a threshold, sample by sample and without a release.
///
/// The signal is clipped at eight times the sample rate, with the curve averaged between samples,
/// to reduce aliasing. The filter that returns to the chain's rate rings: single samples exceed the
/// threshold by 1 or 2 dB, with noise by 4 dB. Without oversampling none does.
///
/// Revision 1 scales the clipped sound by the threshold of the moment at which it leaves, so that
/// a threshold that moves makes it louder than either value.
struct Clipper: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "clipper", name: "Clipper",
    summary: "Cuts off what is louder than a threshold, peak by peak and without a release.",
    category: "distortion", revision: 2,
    parameters: [
      .gain(
        "threshold",
        "The level at which the wave is cut; when oversampled, single samples exceed it by a decibel or two, in noise by four.",
        -48...0, default: -1
      ).againstFullScale,
      ParameterSpec(
        "softness",
        "How far below the threshold the knee begins, as a share of it: 0 clips hard.",
        .ratio, 0...1, default: 0.2),
      .gain("drive", "How much louder the signal is made beforehand.", 0...36),
    ],
    options: [.oversampling])

  static var first: UnitSpec {
    var first = spec
    first.revision = 1
    return first
  }

  package struct Parameters: BitwiseCopyable {
    let threshold: ParameterSignal
    let softness: ParameterSignal
    let drive: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Clipper.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Clipper.self)?.pointee.reset() },
    isAtRest: { $0.kernel(Clipper.self)?.pointee.isAtRest(RenderBlock(at: $1)) ?? false },
    rest: { $0.kernel(Clipper.self)?.pointee.rest(RenderBlock(at: $1)) })

  private let channelCount: Int
  private let shaper: WaveShaper
  private let scratch: SampleBuffer
  private var leavingThreshold: DelayedControl

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    shaper = WaveShaper(.hard, preparation.oversampling, channelCount: channelCount)
    scratch = SampleBuffer(count: WaveShaper.chunk)
    leavingThreshold = DelayedControl(
      latency: preparation.revision > 1 ? shaper.latency : 0, maximumFrameCount: WaveShaper.chunk)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    let latency = WaveShaper.latency(preparation.oversampling)
    return UnitTraits(
      latency: latency, tail: .frames(latency + 1),
      memory: WaveShaper.byteCount(
        preparation.oversampling, channelCount: preparation.channelCount)
        + SampleBuffer.byteCount(count: WaveShaper.chunk)
        + DelayedControl.byteCount(
          latency: preparation.revision > 1 ? latency : 0, maximumFrameCount: WaveShaper.chunk))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let samples = scratch.samples
    var start = 0
    while start < block.frameCount {
      let count = min(WaveShaper.chunk, block.frameCount &- start)
      let softness = parameters.softness.from(start)
      let leaving = leavingThreshold.take(parameters.threshold, from: start, frameCount: count)
      for channel in 0..<channelCount {
        let input = block.inputs[channel] + start
        let output = block.outputs[channel] + start
        for frame in 0..<count {
          let gain =
            parameters.drive[start &+ frame] / parameters.threshold[start &+ frame]
          samples[frame] = input[frame].finiteSample * gain
        }
        shaper.process(samples, channel: channel, frameCount: count, knee: softness)
        for frame in 0..<count {
          output[frame] = samples[frame] * leaving[frame]
        }
      }
      start &+= count
    }
  }

  @_noLocks
  package func isAtRest(_ block: RenderBlock) -> Bool { shaper.isAtRest }

  @_noLocks
  package mutating func rest(_ block: RenderBlock) {
    leavingThreshold.rest(
      block.parameterStorage.load(as: Parameters.self).threshold, frameCount: block.frameCount)
  }

  @_noLocks
  package mutating func reset() {
    shaper.reset()
    leavingThreshold.reset()
  }
}
