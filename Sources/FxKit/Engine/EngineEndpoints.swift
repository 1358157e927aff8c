/// What an engine's main input is.
public enum EngineInput: Sendable {
  /// A file or an address.
  case file(String)
  /// Samples of the program.
  case samples(SampleInput)
  /// A recording device, by its ALSA name: `default`, `hw:1`.
  case device(String)

  func bind(_ name: String, in request: inout RenderRequest) {
    switch self {
    case .file(let path): request.inputs[name] = path
    case .samples(let samples): request.sampleInputs[name] = samples
    case .device(let device): request.live.captureDevice = device
    }
  }
}

/// Where an engine's main output goes.
public enum EngineOutput: Sendable {
  /// A playback device, by its ALSA name: `default`, `hw:1`.
  case device(String)
  /// A file, which is complete when the engine has ended.
  case file(String)
  /// A closure or a queue of the program.
  case samples(SampleOutput)

  func bind(_ name: String, in request: inout RenderRequest) {
    switch self {
    case .device(let device): request.live.device = device
    case .file(let path): request.outputs[name] = path
    case .samples(let samples): request.sampleOutputs[name] = samples
    }
  }
}
