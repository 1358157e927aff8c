import FxChain

/// How a parameter comes to a point of its automation.
public enum AutomationCurve: String, ParameterChoice {
  /// At once, at the point's time.
  case step
  /// On a straight line from the point before.
  case linear
  /// In equal ratios from the point before.
  case exponential
}

/// A time and the value of a parameter at this time.
public struct AutomationPoint<Value: ParameterQuantity>: Sendable, Hashable {
  public var time: Time
  public var value: Value
  public var curve: AutomationCurve

  public init(_ time: Time, _ value: Value, _ curve: AutomationCurve = .step) {
    self.time = time
    self.value = value
    self.curve = curve
  }
}

/// Where the times of an automation count from.
public enum AutomationOrigin: String, ParameterChoice {
  /// The beginning of the chain's input.
  case input
  /// The beginning of the render.
  case start
}

/// The way from a control signal to a parameter.
public enum ModulationCurve: String, ParameterChoice {
  case linear, square, root, smooth
}

/// How far a control signal moves a parameter; a literal is in octaves for a frequency, in decibels
/// for a level, otherwise in the parameter's own unit. Below zero it moves the other way.
public struct ModulationDepth: MeasuredQuantity {
  public let chainValue: ChainValue
  public init(written chainValue: ChainValue) { self.chainValue = chainValue }

  public static func octaves(_ number: Double) -> ModulationDepth { measured(number, "oct") }
  public static func semitones(_ number: Double) -> ModulationDepth { measured(number, "st") }
  public static func hertz(_ number: Double) -> ModulationDepth { measured(number, "Hz") }
  public static func decibels(_ number: Double) -> ModulationDepth { measured(number, "dB") }
  public static func milliseconds(_ number: Double) -> ModulationDepth { measured(number, "ms") }
  /// A share of the parameter's range.
  public static func percent(_ number: Double) -> ModulationDepth { measured(number, "%") }
}

/// The sides to which a control signal moves a parameter.
public enum ModulationPolarity: String, ParameterChoice {
  case unipolar, bipolar
}

/// Values that are set together.
///
///     var solo = ChainScene(ramp: .milliseconds(50))
///     solo[out.gain] = 3
///     graph.setScene("solo", solo)
public struct ChainScene: Sendable, Hashable {
  /// How long the change takes; nil for each parameter's own smoothing.
  public var ramp: Time?
  private var values: [ChainValue.Member] = []

  public init(ramp: Time? = nil) { self.ramp = ramp }

  /// The value of a parameter, also of `bypass`; nil leaves it as it is.
  public subscript<Value: ParameterQuantity>(parameter: ParameterReference<Value>) -> Value? {
    get { values.value(of: parameter.path).flatMap { Value(chainValue: $0) } }
    set { values.set(parameter.path, newValue?.chainValue) }
  }

  var chainValue: ChainValue {
    var scene = ChainValue.object([])
    if !values.isEmpty { scene["parameters"] = .object(values) }
    scene["ramp"] = ramp?.chainValue
    return scene
  }
}

extension ChainGraph {
  /// Moves a parameter over time, exact to the frame.
  public mutating func automate<Value>(
    _ parameter: ParameterReference<Value>, _ points: [AutomationPoint<Value>],
    from origin: AutomationOrigin = .input, fileID: String = #fileID, line: Int = #line
  ) {
    var automation: ChainValue = ["parameter": .string(parameter.path)]
    automation["points"] = .array(
      points.map { point in
        let ends = [point.time.chainValue, point.value.chainValue]
        return .array(point.curve == .step ? ends : ends + [point.curve.chainValue])
      })
    if origin != .input { automation["time"] = origin.chainValue }
    append(automation, to: "automation", CallSite(file: fileID, line: line))
  }

  /// Moves a parameter by the signal of a modulator.
  ///
  /// - Parameters:
  ///   - parameter: the parameter of a node.
  ///   - source: the node that gives the signal.
  ///   - depth: how far the signal moves it; nil for its whole range, or half of it to either side.
  ///   - curve: how the signal becomes a change; nil for the usual one.
  ///   - polarity: whether the signal moves it to both sides; nil for the usual one.
  ///   - range: the values of the signal for no modulation and for the whole depth; nil for its
  ///     own.
  ///   - id: the name of the depth as a parameter; nil for the modulator's.
  ///   - delay: the delay of a loop, which the modulation then closes.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  public mutating func modulate<Value>(
    _ parameter: ParameterReference<Value>, by source: some GraphEnd,
    depth: ModulationDepth? = nil, curve: ModulationCurve? = nil,
    polarity: ModulationPolarity? = nil, range: (Double, Double)? = nil, id: String? = nil,
    feedbackDelay delay: Time? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    let site = CallSite(file: fileID, line: line)
    guard isOwn(source.end, site) else { return }
    var modulation: ChainValue = [
      "from": .string(source.end.text), "to": .string(parameter.path),
    ]
    modulation["depth"] = depth?.chainValue
    modulation["curve"] = curve?.chainValue
    modulation["polarity"] = polarity?.chainValue
    if let range { modulation["range"] = [.number(range.0), .number(range.1)] }
    modulation["id"] = id?.chainValue
    if let delay {
      modulation["feedback"] = true
      modulation["delay"] = delay.chainValue
    }
    append(modulation, to: "modulation", site)
  }

  /// Gives a parameter a name of the chain's own, for `--set` and for chains that include this one.
  ///
  /// - Parameters:
  ///   - name: the new name.
  ///   - parameter: the parameter of a node.
  ///   - range: the least and the greatest value under this name; nil for the parameter's.
  ///   - fileID: the file of the call, for messages.
  ///   - line: the line of the call, for messages.
  /// - Returns: the parameter under this name.
  @discardableResult
  public mutating func expose<Value>(
    _ name: String, _ parameter: ParameterReference<Value>, range: (Value, Value)? = nil,
    fileID: String = #fileID, line: Int = #line
  ) -> ParameterReference<Value> {
    var exposed = ChainValue.string(parameter.path)
    if let range {
      exposed = [
        "parameter": .string(parameter.path),
        "range": [range.0.chainValue, range.1.chainValue],
      ]
    }
    set(exposed, for: name, in: "expose", CallSite(file: fileID, line: line))
    return ParameterReference(path: name)
  }

  /// Adds a scene, or replaces the one of this name.
  public mutating func setScene(
    _ name: String, _ scene: ChainScene, fileID: String = #fileID, line: Int = #line
  ) {
    set(scene.chainValue, for: name, in: "scenes", CallSite(file: fileID, line: line))
  }

  /// Appends to a list of the whole chain.
  mutating func append(_ value: ChainValue, to key: String, _ site: CallSite) {
    let elements = keys.value(of: key)?.elements ?? []
    keys.set(key, .array(elements + [value]))
    sites["/\(key)/\(elements.count)"] = site
  }

  private mutating func set(
    _ value: ChainValue, for name: String, in key: String, _ site: CallSite
  ) {
    var members = keys.value(of: key)?.members ?? []
    members.set(name, value)
    keys.set(key, .object(members))
    sites["/\(key)/\(pointerStep(name))"] = site
  }
}
