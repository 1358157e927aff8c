import FxEngine

/// Control signals that move parameters.
extension ChainReader {
  mutating func modulations(_ list: JSONValue?) -> [ModulationDocument] {
    (list?.elements ?? []).compactMap { element in
      fields(element, ChainFormat.modulation).flatMap { modulation(element, $0) }
    }
  }

  /// A modulation, or a connection to a parameter.
  mutating func modulation(_ value: JSONValue, _ fields: Fields) -> ModulationDocument? {
    for key in ["gain", "channels"] {
      guard let entry = fields.known.first(where: { $0.name == key }) else { continue }
      report(
        .conflictingKeys, "'\(key)' does not go with a connection that leads to a parameter",
        entry.key.place, hints: key == "gain" ? ["how far it goes is its \"depth\""] : [])
    }
    let (feedback, delay) = feedback(fields, of: value)
    guard let from = end(fields, "from"), let to = located(fields["to"]) else { return nil }
    var modulation = ModulationDocument(
      from: from, to: to, depth: raw(fields["depth"]), feedback: feedback, delay: delay,
      place: opening(value))
    if let id = located(fields["id"]) {
      if Names.isID(id.value) {
        modulation.id = id
      } else {
        reportName(id.value, "a modulation", id.place)
      }
    }
    if let curve = word(fields, "curve", of: ChainFormat.modulation) {
      modulation.curve = Modulation.Curve(rawValue: curve.value) ?? .linear
    }
    modulation.isBipolar = word(fields, "polarity", of: ChainFormat.modulation).map {
      $0.value == "bipolar"
    }
    if let list = fields["range"] { modulation.range = signalRange(list) }
    return modulation
  }

  private mutating func signalRange(_ list: JSONValue) -> [Located<Double>] {
    let values = list.elements.compactMap { element -> Located<Double>? in
      let number = element.number ?? text(element).flatMap { Double($0) }
      return number.map { Located(value: $0, place: element.place) }
    }
    guard values.count == 2, list.elements.count == 2 else {
      report(
        .wrongType, "'range' is a list of two numbers", list.place,
        hints: ["in the signal's own unit of measure, such as [0, 1]"])
      return []
    }
    guard values[0].value < values[1].value else {
      report(
        .outOfRange, "the range's first value is not below its second", values[1].place,
        hints: ["a depth below zero turns the signal over"])
      return []
    }
    return values
  }
}
