import FxAudio
import FxChecks
public import FxKit
import FxUnits

extension Chain {
  /// Reads a chain file in the folder of the test.
  ///
  ///     let chain = try Chain("voice.json")
  ///
  /// - Parameters:
  ///   - path: relative to the folder of the test's source file.
  ///   - variables: values that replace the chain's own `variables`.
  ///   - filePath: the test's source file.
  /// - Throws: `ChainFailure` when the file cannot be read.
  public init(
    _ path: String, variables: [String: String] = [:], filePath: String = #filePath
  ) throws(ChainFailure) {
    try self.init(
      contentsOfFile: resolved(path, besideFile: filePath), variables: variables)
  }

  /// Renders the chain into memory, with its latency removed and its tail included, as `fxrun` does
  /// into a file.
  ///
  /// Nothing is written and no device is used. If the chain has only built-in units, the bits do
  /// not depend on the block size, the processor or the build.
  ///
  /// - Parameters:
  ///   - signal: the signal for the input `main`. Each other input gets its own signal.
  ///   - seconds: the duration of the input; nil for 2 seconds of a signal, or for the whole file.
  ///   - sampleRate: the rate of signals in Hz; the chain also uses it if it names none.
  ///   - channels: the channel count of signals.
  ///   - blockSize: frames in a block; replaces the chain's own.
  ///   - settings: parameter values by name, written as in a chain: `["comp.threshold": "-20 dB"]`.
  ///   - scene: replaces the chain's own scene.
  /// - Throws: `ChainFailure` with every mistake of the chain, or with the mistake in an input, a
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
  ///   - signals: by the name of the input. An input without a name here gets its own signal with
  ///     peaks near full scale. An older golden keeps the signals that it was made with.
  ///   - seconds: the duration of the inputs; nil for 2 seconds of signals, or for the whole file.
  ///   - sampleRate: the rate of signals in Hz; the chain also uses it if it names none.
  ///   - channels: the channel count of signals.
  ///   - blockSize: frames in a block; replaces the chain's own.
  ///   - settings: parameter values by name, written as in a chain.
  ///   - scene: replaces the chain's own scene.
  /// - Throws: `ChainFailure` with every mistake of the chain, or with the mistake in an input, a
  ///   setting or a plugin.
  public func rendering(
    _ signals: [String: Signal], seconds: Double? = nil, sampleRate: Double = 48000,
    channels: Int = 2, blockSize: Int? = nil, set settings: [String: String] = [:],
    scene: String? = nil
  ) throws(ChainFailure) -> Rendering {
    // The golden and its path are set when the rendering is compared with one.
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
  /// Refuses values that are impossible for a sound in memory.
  fileprivate func check() throws(ChainFailure) {
    func refuse(_ message: String) -> ChainFailure {
      ChainFailure(.request, code: .outOfRange, message)
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
