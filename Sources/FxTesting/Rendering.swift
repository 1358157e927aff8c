import FxAnalysis
import FxGoldens
public import FxKit

/// What a chain made of its input, in memory.
///
/// Samples and measurements are those of one output: of the chain's first, until
/// ``output(_:)`` asks for another one.
public struct Rendering: Sendable {
  let testCase: TestCase
  let rendered: CaseRendering
  private let index: Int

  init(_ testCase: TestCase, _ rendered: CaseRendering, output index: Int = 0) {
    self.testCase = testCase
    self.rendered = rendered
    self.index = index
  }

  /// The names of the chain's outputs: `main`, another output's name, or the file that the chain
  /// would have written.
  public var outputs: [String] { rendered.outputs.map(\.name) }

  /// The same rendering, heard at another output.
  ///
  ///     let low = try crossover.rendering(.sweep()).output("low")
  ///
  /// - Throws: `ChainFailure` where the chain has no such output.
  public func output(_ name: String) throws(ChainFailure) -> Rendering {
    guard let index = outputs.firstIndex(of: name) else {
      let known = outputs.isEmpty ? "none" : outputs.joined(separator: ", ")
      throw ChainFailure(
        .request, code: "unknown-output",
        "the chain has no output '\(name)' (its outputs: \(known))")
    }
    return Rendering(testCase, rendered, output: index)
  }

  /// The output's name.
  public var output: String { outputs.indices.contains(index) ? outputs[index] : "" }

  var sound: Sound {
    rendered.outputs.indices.contains(index)
      ? rendered.outputs[index].sound : Sound(channels: [], sampleRate: rendered.summary.sampleRate)
  }

  /// Channels, each an array of frames; full scale is ±1.
  public var samples: [[Float]] { sound.channels }
  /// Frames a second.
  public var sampleRate: Double { sound.sampleRate }
  /// How many channels the output has.
  public var channelCount: Int { sound.channelCount }
  /// Frames of a channel, the chain's tail included.
  public var frameCount: Int { sound.frameCount }
  /// Seconds of sound, the chain's tail included.
  public var seconds: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }
  /// How the render went: its tail, latency, warnings and speed.
  public var summary: RenderSummary { rendered.summary }
}

extension Rendering {
  /// The chain's file, without its folder.
  var chainName: String {
    testCase.chain.split(separator: "/").last.map(String.init) ?? testCase.chain
  }
}

extension Rendering: CustomStringConvertible {
  /// `voice.json: 'main', 2 channels, 48000 frames at 48000 Hz`.
  public var description: String {
    let widths = channelCount == 1 ? "1 channel" : "\(channelCount) channels"
    let rate = sampleRate == sampleRate.rounded() ? "\(Int(sampleRate))" : "\(sampleRate)"
    return "\(chainName): '\(output)', \(widths), \(frameCount) frames at \(rate) Hz"
  }
}
