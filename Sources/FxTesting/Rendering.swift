import FxAudio
import FxChecks
public import FxKit

/// The output of a chain, in memory.
///
/// Samples and measurements belong to one output: the chain's first, or the one selected with
/// ``output(_:)``.
public struct Rendering: Sendable {
  let testCase: TestCase
  let rendered: CaseRendering
  private let index: Int

  init(_ testCase: TestCase, _ rendered: CaseRendering, output index: Int = 0) {
    self.testCase = testCase
    self.rendered = rendered
    self.index = index
  }

  /// The names of the chain's outputs: `main`, another output's name, or the path of the file in
  /// the chain.
  public var outputs: [String] { rendered.outputs.map(\.name) }

  /// The same rendering with another output selected.
  ///
  ///     let low = try crossover.rendering(.sweep()).output("low")
  ///
  /// - Throws: `ChainFailure` if the chain has no such output.
  public func output(_ name: String) throws(ChainFailure) -> Rendering {
    guard let index = outputs.firstIndex(of: name) else {
      let known = outputs.isEmpty ? "none" : outputs.joined(separator: ", ")
      throw ChainFailure(
        .request, code: .unknownOutput,
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
  /// The sample rate in Hz.
  public var sampleRate: Double { sound.sampleRate }
  /// The number of channels of the output.
  public var channelCount: Int { sound.channelCount }
  /// The frames of a channel, the chain's tail included.
  public var frameCount: Int { sound.frameCount }
  /// The duration in seconds, the chain's tail included.
  public var seconds: Double { sampleRate > 0 ? Double(frameCount) / sampleRate : 0 }
  /// The summary of the render: tail, latency, warnings and speed.
  public var summary: RenderSummary { rendered.summary }
}

extension Rendering {
  /// The name of the chain's file, without its folder.
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
