package import FxAudio

extension MIDIControl {
  /// The mapping that a message teaches for a parameter: the moved control, on its channel, over
  /// the parameter's range.
  ///
  /// - Parameter name: The parameter as the chain spells it.
  /// - Returns: nil for a message that teaches nothing: note off, program change, key pressure.
  ///   Also nil for a parameter without a finite range.
  package static func learned(
    from bytes: (status: UInt8, data1: UInt8, data2: UInt8), parameter: BuiltChain.Parameter,
    name: String
  ) -> MIDIControl? {
    let trigger: Trigger
    switch bytes.status & 0xf0 {
    case 0xb0: trigger = .controller(bytes.data1 & 127)
    case 0x90 where bytes.data2 > 0: trigger = .note(bytes.data1 & 127)
    case 0xe0: trigger = .bend
    case 0xd0: trigger = .pressure
    default: return nil
    }
    guard let range = ControlRange(parameter.spec) else { return nil }
    var action = Action.parameter(parameter, range)
    if case .note = trigger, parameter.spec.isToggle { action = .toggle(parameter) }
    return MIDIControl(
      trigger: trigger, channel: (bytes.status & 15) + 1, action: action, target: name)
  }

  /// The mapping as JSON of a chain.
  package var json: JSONOutput {
    var members: [JSONOutput.Member] = []
    switch trigger {
    case .controller(let number): members.append(.init("cc", .integer(Int(number))))
    case .note(let number): members.append(.init("note", .integer(Int(number))))
    case .program(let number): members.append(.init("program", .integer(Int(number))))
    case .bend: members.append(.init("bend", .bool(true)))
    case .pressure: members.append(.init("pressure", .bool(true)))
    }
    if let channel { members.append(.init("channel", .integer(Int(channel)))) }
    switch action {
    case .parameter(let parameter, let range):
      members.append(.init("parameter", .string(target)))
      if ControlRange(parameter.spec) != range {
        let ends = [range.start, range.end].map { Self.json($0, parameter.spec) }
        members.append(.init("range", .array(ends)))
        if range.curve != ControlRange.usualCurve(parameter.spec, range.start, range.end) {
          members.append(.init("curve", .string(range.curve.rawValue)))
        }
      } else if case .note = trigger, parameter.spec.isToggle {
        members.append(.init("mode", .string("momentary")))
      }
    case .toggle:
      members.append(.init("parameter", .string(target)))
      if case .controller = trigger { members.append(.init("mode", .string("toggle"))) }
    case .bypass:
      members.append(.init("bypass", .string(target)))
      if case .note = trigger { members.append(.init("mode", .string("momentary"))) }
    case .toggleBypass:
      members.append(.init("bypass", .string(target)))
      if case .controller = trigger { members.append(.init("mode", .string("toggle"))) }
    case .scene: members.append(.init("scene", .string(target)))
    case .tap: members.append(.init("tap", .bool(true)))
    }
    return .object(members)
  }

  private static func json(_ value: Double, _ spec: ParameterSpec) -> JSONOutput {
    if spec.isToggle { return .bool(value != 0) }
    return value.isFinite ? .number(value) : .string(shortNumber(value))
  }
}

extension ControlRange {
  /// The whole range of a parameter; nil if it is not finite.
  package init?(_ spec: ParameterSpec) {
    let start = spec.range.lowerBound
    let end = spec.range.upperBound
    guard ControlRange.canMove(from: start, to: end, spec) else { return nil }
    self.init(start: start, end: end, curve: ControlRange.usualCurve(spec, start, end))
  }

  /// False if a control cannot move between the ends: only a level may start or end at minus
  /// infinity.
  static func canMove(from start: Double, to end: Double, _ spec: ParameterSpec) -> Bool {
    if spec.isToggle || (!spec.choices.isEmpty && spec.choicesAreExclusive) { return true }
    if start.isFinite, end.isFinite { return true }
    guard spec.measure == .decibels else { return false }
    return start == -.infinity && end.isFinite || end == -.infinity && start.isFinite
  }

  static func usualCurve(_ spec: ParameterSpec, _ start: Double, _ end: Double) -> Curve {
    spec.measure == .hertz && start > 0 && end > 0 ? .log : .linear
  }
}
