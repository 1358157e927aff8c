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

/// A parameter of an engine's chain with the type of its value: `engine[room.wet]`.
public struct TypedEngineParameter<Value: ParameterQuantity>: Sendable {
  let parameter: EngineParameter

  /// Moves the parameter to a value, over the parameter's own smoothing time.
  ///
  /// - Throws: `ChainFailure` of kind `request` for an unknown name or a value out of range.
  public func set(_ value: Value) async throws(ChainFailure) {
    try await parameter.set(try live(value))
  }

  /// Moves the parameter to a value over a time, 0 to 3600 s; at least its own smoothing time. Returns when
  /// the ramp has been accepted, not at its end.
  public func ramp(to value: Value, over duration: Duration) async throws(ChainFailure) {
    try await parameter.ramp(to: try live(value), over: duration)
  }

  private func live(_ value: Value) throws(ChainFailure) -> LiveValue {
    guard let live = LiveValue(value.chainValue) else {
      throw .outOfRange("'\(parameter.name)' takes a number or a text")
    }
    return live
  }
}

extension Engine {
  /// A parameter of a node. A wrong name is reported when it is used.
  public subscript<Value>(_ reference: ParameterReference<Value>) -> TypedEngineParameter<Value> {
    TypedEngineParameter(parameter: self[reference.path])
  }

  /// A parameter by its name. A wrong name is reported when it is used.
  public subscript(parameter: String) -> EngineParameter {
    EngineParameter(engine: self, name: parameter)
  }
}
