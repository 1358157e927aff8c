import CLilv
import FxAudio

/// Reads one port's description out of lilv's model.
struct LV2PortReader {
  let world: OpaquePointer
  let plugin: OpaquePointer
  let port: OpaquePointer

  func description(_ index: Int) -> LV2Port {
    let types = LilvNode.sharedTexts(lilv_port_get_classes(plugin, port))
    let properties = Set(LilvNode.texts(lilv_port_get_properties(plugin, port)))
    let name = LilvNode(lilv_port_get_name(plugin, port))?.text ?? ""
    let symbol = LilvNode.text(of: lilv_port_get_symbol(plugin, port))
    var description = LV2Port(
      index: index, symbol: symbol, name: name.isEmpty ? symbol : name, kind: kind(types),
      isInput: types.contains(LV2URI.inputPort),
      isOptional: properties.contains(LV2URI.connectionOptional))
    description.role = role(properties)
    if description.isInput, description.kind == .control {
      description.timeRole = LV2TimeRole(designation: value(LV2URI.designation)?.text)
    }
    switch description.kind {
    case .audio:
      description.channel = (value(LV2URI.designation)?.text).flatMap { LV2URI.channels[$0] }
      description.isSideChain = properties.contains(LV2URI.isSideChain) || isInSideChainGroup
    case .control, .cv:
      readControl(into: &description, properties)
    case .atom, .event, .unknown:
      let size = value(LV2URI.minimumSize)?.number ?? 0
      description.minimumBufferSize = Int(min(max(size, 0), 67_108_864))
      readEvents(into: &description)
    }
    return description
  }

  private func kind(_ types: [String]) -> LV2Port.Kind {
    if types.contains(LV2URI.audioPort) { return .audio }
    if types.contains(LV2URI.controlPort) { return .control }
    if types.contains(LV2URI.cvPort) { return .cv }
    if types.contains(LV2URI.atomPort) {
      return .atom(bufferType: value(LV2URI.bufferType)?.text ?? LV2URI.atomSequence)
    }
    if types.contains(LV2URI.eventPort) { return .event }
    let known = [LV2URI.inputPort, LV2URI.outputPort, LV2URI.port]
    return .unknown(types.filter { !known.contains($0) }.sorted())
  }

  private func role(_ properties: Set<String>) -> LV2Port.Role? {
    if properties.contains(LV2URI.reportsLatency) { return .latency }
    switch value(LV2URI.designation)?.text {
    case LV2URI.latency: return .latency
    case LV2URI.enabled: return .enabled
    case LV2URI.freeWheeling: return .freeWheeling
    default: return nil
    }
  }

  private func readEvents(into description: inout LV2Port) {
    let types = Set(values(LV2URI.supports) + values(LV2URI.supportsEvent))
    switch description.kind {
    case .atom(LV2URI.atomSequence), .event: break
    default: return
    }
    description.supportsMIDI = types.contains(LV2URI.midiEvent)
    description.supportsTime =
      types.contains(LV2URI.timePosition) && description.kind != .event
    description.isControlDesignated = value(LV2URI.designation)?.text == LV2URI.control
  }

  /// The symbol of the port's group, and its URI; nil where it has none.
  var portGroup: (uri: String, symbol: String)? {
    guard let group = value(LV2URI.group) else { return nil }
    let uri = group.text
    if let predicate = LilvNode(world, uri: LV2URI.symbol),
      let symbol = LilvNode(lilv_world_get(world, group.pointer, predicate.pointer, nil))
    {
      return (uri, symbol.text)
    }
    return (uri, String(uri.split { $0 == "#" || $0 == "/" || $0 == ":" }.last ?? "group"))
  }

  private func readControl(into description: inout LV2Port, _ properties: Set<String>) {
    var range: (low: OpaquePointer?, high: OpaquePointer?, standard: OpaquePointer?)
    lilv_port_get_range(plugin, port, &range.standard, &range.low, &range.high)
    description.minimum = LilvNode(range.low)?.number
    description.maximum = LilvNode(range.high)?.number
    description.defaultValue = LilvNode(range.standard)?.number
    description.isToggle = properties.contains(LV2URI.toggled)
    description.isInteger = properties.contains(LV2URI.integer)
    description.isEnumeration = properties.contains(LV2URI.enumeration)
    description.isLogarithmic = properties.contains(LV2URI.logarithmic)
    description.isRelativeToSampleRate = properties.contains(LV2URI.sampleRatePort)
    description.isExpensive = properties.contains(LV2URI.expensive)
    description.isStepped = description.isExpensive || properties.contains(LV2URI.causesArtifacts)
    description.measure = measure
    description.scalePoints = scalePoints
  }

  private var measure: LV2Measure {
    guard let unit = value(LV2URI.unit) else { return .none }
    if let known = LV2Measure(unit: unit.text) { return known }
    guard let symbol = text(of: unit, LV2URI.unitSymbol) else { return .none }
    return LV2Measure(symbol: symbol, name: text(of: unit, LV2URI.label) ?? "")
  }

  private var scalePoints: [LV2Port.ScalePoint] {
    guard let points = lilv_port_get_scale_points(plugin, port) else { return [] }
    defer { lilv_scale_points_free(points) }
    var result: [LV2Port.ScalePoint] = []
    var iterator = lilv_scale_points_begin(points)
    while !lilv_scale_points_is_end(points, iterator) {
      let point = lilv_scale_points_get(points, iterator)
      if let value = LilvNode.number(of: lilv_scale_point_get_value(point)) {
        let label = LilvNode.text(of: lilv_scale_point_get_label(point))
        result.append(LV2Port.ScalePoint(label: label, value: value))
      }
      iterator = lilv_scale_points_next(points, iterator)
    }
    return result.sorted { ($0.value, $0.label) < ($1.value, $1.label) }
  }

  /// True when the port's group is declared as the side-chain of another group.
  private var isInSideChainGroup: Bool {
    guard let group = value(LV2URI.group),
      let sideChainOf = LilvNode(world, uri: LV2URI.sideChainOf)
    else { return false }
    return LilvNode(lilv_world_get(world, group.pointer, sideChainOf.pointer, nil)) != nil
  }

  private func text(of subject: borrowing LilvNode, _ predicate: String) -> String? {
    guard let predicate = LilvNode(world, uri: predicate) else { return nil }
    return LilvNode(lilv_world_get(world, subject.pointer, predicate.pointer, nil))?.text
  }

  private func values(_ predicate: String) -> [String] {
    guard let predicate = LilvNode(world, uri: predicate) else { return [] }
    return LilvNode.texts(lilv_port_get_value(plugin, port, predicate.pointer))
  }

  private func value(_ predicate: String) -> LilvNode? {
    guard let predicate = LilvNode(world, uri: predicate) else { return nil }
    return LilvNode(lilv_port_get(plugin, port, predicate.pointer))
  }
}
