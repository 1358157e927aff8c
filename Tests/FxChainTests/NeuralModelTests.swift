import FxAudio
@testable import FxChain
import Testing

/// Files of Neural Amp Modeler.
@Suite struct NeuralModelTests {
  private func model(_ text: String) throws(Failure) -> NeuralModel {
    try NeuralModelReader.model(Array(text.utf8), path: "m.nam")
  }

  /// The message for a model that cannot be played; nil for one that can.
  private func mistake(_ text: String) -> String? {
    do throws(Failure) {
      _ = try model(text)
      return nil
    } catch {
      return error.message
    }
  }

  private static let stack = """
    { "input_size": 1, "condition_size": 1, "channels": 2, "head_size": 1, "kernel_size": 2,
      "dilations": [1, 4], "activation": "Tanh", "gated": false, "head_bias": true }
    """

  /// A WaveNet of 1 stack; with 2 channels and 2 layers it has this many weights.
  private static let count = 2 + 2 * (2 * 2 * 2 + 2 + 2 + 2 * 2 + 2) + 3 + 1

  private static func waveNet(
    _ stack: String = stack, count: Int = count, more: String = "", version: String = "0.5.4"
  ) -> String {
    let weights = [String](repeating: "0.25", count: count).joined(separator: ", ")
    return """
      { "version": "\(version)", "architecture": "WaveNet", \(more)
        "config": { "layers": [\(stack)], "head": null, "head_scale": 0.02 }, "weights": [\(weights)] }
      """
  }

  @Test func `has the sizes, the rate and the loudness of its file`() throws {
    let plain = try model(Self.waveNet())
    #expect(plain.sampleRate == 48000 && plain.loudness == nil)
    #expect(plain.weights.count == Self.count && plain.network.weightCount == Self.count)
    #expect(plain.network.receptiveField == 6)
    let other = try model(
      Self.waveNet(more: #""sample_rate": 44100, "metadata": { "loudness": -20.5 }, "#))
    #expect(other.sampleRate == 44100 && other.loudness == -20.5)
  }

  @Test func `newer spellings of the same sizes mean the same`() throws {
    let newer = """
      { "input_size": 1, "condition_size": 1, "channels": 2, "bottleneck": 2, "kernel_sizes": [2, 2],
        "dilations": [1, 4], "activation": ["Tanh", { "type": "Tanh" }], "gating_mode": "none",
        "head": { "out_channels": 1, "kernel_size": 1, "bias": true }, "groups_input": 1,
        "layer1x1": { "active": true, "groups": 1 }, "conv_pre_film": false,
        "head1x1": { "active": false, "out_channels": 2, "groups": 1 },
        "conv_post_film": { "active": false, "shift": true } }
      """
    #expect(try model(Self.waveNet(newer, version: "0.7.0")) == model(Self.waveNet()))
  }

  @Test func `an LSTM, a ConvNet and a linear model need their number of weights`() throws {
    func text(_ architecture: String, _ config: String, _ count: Int) -> String {
      let weights = [String](repeating: "0.1", count: count).joined(separator: ",")
      return #"{"version":"0.5.2","architecture":"\#(architecture)","config":\#(config),"#
        + #""weights":[\#(weights)]}"#
    }
    let lstm = #"{"input_size":1,"hidden_size":3,"num_layers":2}"#
    #expect(mistake(text("LSTM", lstm, 4 * 3 * 5 + 6 + 4 * 3 * 7 + 6 + 4)) == nil)
    #expect(
      mistake(text("LSTM", lstm, 10)) == "weights has 10 numbers, and its 'config' needs 160")
    let net = #"{"channels":2,"dilations":[1,2],"batchnorm":true,"activation":"ReLU"}"#
    #expect(mistake(text("ConvNet", net, 4 + 9 + 8 + 9 + 3)) == nil)
    #expect(mistake(text("Linear", #"{"receptive_field":5,"bias":true}"#, 6)) == nil)
    #expect(mistake(text("Linear", #"{"receptive_field":5,"bias":false}"#, 6)) != nil)
  }

  @Test(arguments: [
    ("[]", "it is a list, and a model is an object"),
    ("{}", "the file has no 'version'"),
    (#"{"version":"0.5.4"}"#, "the file has no 'architecture'"),
    (
      #"{"version":"0.9.0","architecture":"LSTM"}"#,
      "version is '0.9.0', and fxrun reads the versions 0.5 to 0.7"
    ),
    (#"{"version":5}"#, "version is a string, not 5"),
    (
      #"{"version":"0.7.0","architecture":"SlimmableContainer","config":{},"weights":[]}"#,
      "its architecture is 'SlimmableContainer', which fxrun does not play"
    ),
    (#"{"version":"0.5.0","architecture":"LSTM","config":{}}"#, "config has no 'hidden_size'"),
    (
      #"{"version":"0.5.0","architecture":"LSTM","config":{"hidden_size":1e9}}"#,
      "config.hidden_size is a whole number from 1 to 16384, not 1e9"
    ),
    (
      #"{"version":"0.5.0","architecture":"LSTM","config":{"hidden_size":3,"input_size":2}}"#,
      "config.input_size is 2, and fxrun plays only models with 1 there"
    ),
  ])
  func `a file that is no model names the place`(_ text: String, _ message: String) {
    #expect(mistake(text) == message)
  }

  @Test(arguments: [
    (#""channels": 2"#, #""channels": 2.5"#, "config.layers[0].channels is a whole number"),
    (#""channels": 2"#, #""channels": 3"#, "weights has 42 numbers, and its 'config' needs 80"),
    (#""input_size": 1"#, #""input_size": 2"#, "config.layers[0].input_size is 2, and fxrun plays"),
    (#""condition_size": 1"#, #""condition_size": 3"#, "config.layers[0].condition_size is 3"),
    (#""dilations": [1, 4]"#, #""dilations": [1, 0]"#, "config.layers[0].dilations[1] is a whole"),
    (#""dilations": [1, 4]"#, #""dilations": []"#, "config.layers[0].dilations has 0 values"),
    (#""Tanh""#, #""Mish""#, "config.layers[0].activation names 'Mish'"),
    (#""Tanh""#, #"["Tanh"]"#, "config.layers[0].activation has 1 values for 2 layers"),
    (
      #""gated": false"#, #""gating_mode": "blended""#,
      "config.layers[0].gating_mode is 'blended'; fxrun plays the modes"
    ),
    (
      #""gated": false"#, #""conv_pre_film": { "shift": true }"#,
      "config.layers[0] has 'conv_pre_film', a feature of models that fxrun does not play"
    ),
    (#""head_size": 1"#, #""head_size": 2"#, "config.layers[0] has a head of 2 channels"),
    (
      #""head": null"#, #""condition_dsp": { "version": "0.7.0" }"#,
      "config has 'condition_dsp', a feature of models that fxrun does not play"
    ),
    ("[0.25, ", #"["x", "#, "weights[0] is a string, not a number that a weight can have"),
    ("[0.25, ", "[1e39, ", "weights[0] is too large"),
    ("[0.25, ", "[NaN, ", "line 3, column"),
  ])
  func `a model that cannot be played names the place`(
    _ part: String, _ change: String, _ message: String
  ) {
    let text = Self.waveNet()
    let changed = text.replacing(part, with: change, maxReplacements: 1)
    #expect(changed != text)
    let found = mistake(changed) ?? "none"
    #expect(found.hasPrefix(message), "\(found)")
  }

  @Test func `a rate or a loudness that no model has is refused`() {
    #expect(
      mistake(Self.waveNet(more: #""sample_rate": 0, "#))?.hasPrefix("sample_rate is 0 Hz") == true)
    #expect(
      mistake(Self.waveNet(more: #""metadata": { "loudness": 1000 }, "#))?
        .hasPrefix("metadata.loudness is 1000 dB") == true)
  }

  @Test func `sizes at their limits do not overflow`() {
    let dilations = [String](repeating: "16384", count: 200).joined(separator: ",")
    let huge = Self.stack.replacing(#""channels": 2"#, with: #""channels": 16384"#)
      .replacing(#""kernel_size": 2"#, with: #""kernel_size": 16384"#)
      .replacing("[1, 4]", with: "[\(dilations)]")
    let found = mistake(Self.waveNet(huge)) ?? "none"
    #expect(found.hasPrefix("config describes a model that reads"), "\(found)")
    let wide = Self.stack.replacing(#""channels": 2"#, with: #""channels": 16384"#)
    #expect(
      mistake(Self.waveNet(wide))
        == "config describes a model of 1610743810 weights; fxrun plays models up to 1048576")
  }
}
