/// A parameter of an engine's chain: `engine["comp.threshold"]`.
public struct EngineParameter: Sendable {
  let engine: Engine
  /// `comp.threshold`, `reverb.wet`, `delay.bypass`, or a name that the chain exposes.
  public let name: String

  /// Moves the parameter to a value, over the parameter's own smoothing time.
  ///
  /// - Throws: `ChainFailure` of kind `request` for an unknown name or a value out of range.
  public func set(_ value: LiveValue) async throws(ChainFailure) {
    try await engine.send(.set(parameter: name, to: value))
  }

  /// Moves the parameter to a value over a time, 0 to 3600 s; at least its own smoothing time. Returns when
  /// the ramp has been accepted, not at its end.
  public func ramp(to value: LiveValue, over duration: Duration) async throws(ChainFailure) {
    try await engine.send(
      .set(parameter: name, to: value, seconds: duration / .seconds(1)))
  }

  /// The last value that was set, in the parameter's own unit of measure; a reading's value now.
  public var value: LiveAnswer {
    get async throws(ChainFailure) { try await engine.send(.get(parameter: name)) }
  }
}

extension Engine {
  /// A parameter by its name. A wrong name is reported when it is used.
  public subscript(parameter: String) -> EngineParameter {
    EngineParameter(engine: self, name: parameter)
  }
}
