public import FxKit

/// Holds each sample for some frames: the sound of an early sampler.
public struct Hold: UnitKernel, ~Copyable {
  public static let spec = UnitSpec(
    "hold", name: "Hold", summary: "Holds each sample for some frames.", category: "distortion",
    parameters: [
      ParameterSpec(
        "frames", "Frames that a sample is held.", .frames, 1...64, default: 8, smoothing: .none,
        isInteger: true)
    ],
    presets: [
      UnitPreset("sampler", "As from a sampler of 1985 at 48 kHz.", ["frames": 2]),
      UnitPreset("toy", "As from a toy.", ["frames": 16]),
    ])

  public struct Parameters: BitwiseCopyable {
    let frames: ParameterSignal
  }

  /// The held sample of each channel.
  private let held: UnsafeMutablePointer<Float>
  private let channelCount: Int
  private var age = 0

  public init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    held = .allocate(capacity: channelCount)
    held.initialize(repeating: 0, count: channelCount)
  }

  deinit { held.deallocate() }

  public static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      tail: .frames(64), memory: preparation.channelCount * MemoryLayout<Float>.stride)
  }

  @_noLocks
  public mutating func render(_ block: RenderBlock) {
    let frames = block.parameterStorage.load(as: Parameters.self).frames
    for frame in 0..<block.frameCount {
      if age >= Int(frames[frame]) { age = 0 }
      for channel in 0..<channelCount {
        if age == 0 { held[channel] = block.inputs[channel][frame] }
        block.outputs[channel][frame] = held[channel]
      }
      age += 1
    }
  }

  @_noLocks
  public mutating func reset() {
    for channel in 0..<channelCount { held[channel] = 0 }
    age = 0
  }
}
