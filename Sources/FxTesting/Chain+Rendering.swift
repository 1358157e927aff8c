import FxAnalysis
import FxGoldens
public import FxKit
import FxSignals

extension Chain {
  /// Reads a chain file that lies beside the test.
  ///
  ///     let chain = try Chain("voice.json")
  ///
  /// - Parameters:
  ///   - path: relative to the folder of the test's source file.
  ///   - variables: values in place of the chain's own `variables`.
  ///   - filePath: that source file.
  /// - Throws: `ChainFailure` when the file cannot be read.
  public init(
    _ path: String, variables: [String: String] = [:], filePath: String = #filePath
  ) throws(ChainFailure) {
    try self.init(
      contentsOfFile: resolved(path, besideFile: filePath), variables: variables)
  }

  /// Renders the chain into memory, without its latency and with its tail, as `fxrun` does into a
  /// file.
  ///
  /// Nothing is written and no device is touched. Bits do not depend on the block size, the processor
  /// or the build where the chain has built-in units alone.
  ///
  /// - Parameters:
  ///   - signal: for the input `main`. Other inputs hear one of their own.
  ///   - seconds: of the input; nil for 2 of a signal, and for all of a file.
  ///   - sampleRate: frames a second of signals, and so of the chain where it names none.
  ///   - channels: of signals.
  ///   - blockSize: frames of a block, in place of the chain's own.
  ///   - settings: parameters by their names, with values as chains write them:
  ///     `["comp.threshold": "-20 dB"]`.
  ///   - scene: in place of the chain's own.
  /// - Throws: `ChainFailure` with every mistake of the chain, or what is wrong with an input, a
  ///   setting or a plugin.
  public func rendering(
    _ signal: Signal = .programme, seconds: Double? = nil, sampleRate: Double = 48000,
    channels: Int = 2, blockSize: Int? = nil, set settings: [String: String] = [:],
    scene: String? = nil
  ) throws(ChainFailure) -> Rendering {
    try rendering(
      ["main": signal], seconds: seconds, sampleRate: sampleRate, channels: channels,
      blockSize: blockSize, set: settings, scene: scene)
  }

  /// Renders a chain of several inputs, or of none, into memory.
  ///
  /// - Parameters:
  ///   - signals: by the name of the input. Inputs that are not named hear one of their own, with
  ///     peaks near full scale; those of a golden that is older hear what it was made with.
  ///   - seconds: of the inputs; nil for 2 of signals, and for all of a file.
  ///   - sampleRate: frames a second of signals, and so of the chain where it names none.
  ///   - channels: of signals.
  ///   - blockSize: frames of a block, in place of the chain's own.
  ///   - settings: parameters by their names, with values as chains write them.
  ///   - scene: in place of the chain's own.
  /// - Throws: `ChainFailure` with every mistake of the chain, or what is wrong with an input, a
  ///   setting or a plugin.
  public func rendering(
    _ signals: [String: Signal], seconds: Double? = nil, sampleRate: Double = 48000,
    channels: Int = 2, blockSize: Int? = nil, set settings: [String: String] = [:],
    scene: String? = nil
  ) throws(ChainFailure) -> Rendering {
    // Which golden, and where, is known when it is held against one.
    var testCase = TestCase(name: "", file: path, chain: path, expectation: .sound(""))
    testCase.loadedChain = self
    testCase.inputs = signals.mapValues(\.input)
    testCase.duration = seconds
    testCase.sampleRate = sampleRate
    testCase.channels = channels
    testCase.blockSize = blockSize
    testCase.settings = settings.sorted { $0.key < $1.key }.map {
      RenderRequest.Setting($0.key, $0.value)
    }
    testCase.scene = scene
    try testCase.check()
    return Rendering(testCase, try CaseRendering(testCase))
  }
}

extension TestCase {
  /// Refuses figures that no sound in memory has.
  fileprivate func check() throws(ChainFailure) {
    func refuse(_ message: String) -> ChainFailure {
      ChainFailure(.request, code: "out-of-range", message)
    }
    guard (100...3_072_000).contains(sampleRate) else {
      throw refuse("no signal has \(sampleRate) frames a second: 100 to 3072000 do")
    }
    guard (1...256).contains(channels) else {
      throw refuse("no signal has \(channels) channels: 1 to 256 do")
    }
    if let duration {
      guard duration.isFinite, duration >= 0,
        duration * sampleRate * Double(channels) <= Double(Sound.largestSampleCount)
      else { throw refuse("\(duration) seconds cannot be rendered into memory") }
    }
    for (name, input) in inputs.sorted(by: { $0.key < $1.key }) {
      guard case .signal(let signal) = input else { continue }
      if let mistake = signal.mistake(sampleRate: sampleRate) {
        throw refuse("the signal '\(signal.kind.rawValue)' for '\(name)': \(mistake)")
      }
    }
  }
}
