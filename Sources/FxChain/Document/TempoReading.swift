import FxAudio

/// Reads `tempo` and `metre`: one tempo, or a list of points.
extension ChainReader {
  mutating func readTempo(_ fields: Fields, _ spec: ObjectSpec, into settings: inout ChainSettings)
  {
    let metre = readMetre(fields["metre"]) ?? .common
    guard let value = fields["tempo"], let tempoKey = spec.key("tempo") else {
      if let metre = key("metre", in: fields.object) {
        report(
          .missingKey, "'metre' needs a 'tempo'", metre.place, hints: ["such as \"tempo\": 120"])
      }
      return
    }
    guard value.kind == .array else {
      settings.tempo = number(value, of: tempoKey.firstShape).map {
        TempoMap(tempo: $0, metre: metre)
      }
      return
    }
    let elements = value.elements
    let points = elements.map { tempoPoint($0) }
    var problem = 0
    let given = points.compactMap { $0 }
    guard given.count == elements.count else { return }
    guard let map = TempoMap.make(given, metre: metre, problem: &problem) else {
      let place = elements.indices.contains(problem) ? elements[problem].place : value.place
      guard problem > 0 else {
        return report(
          .pointOrder, "a tempo map begins with a tempo at bar 1 or time 0", place,
          hints: ["{ \"bar\": 1, \"tempo\": 120 }"])
      }
      return report(
        .pointOrder, "this point is not later than the one before it", place,
        hints: ["points are in the order of time, one a moment"])
    }
    settings.tempo = map
  }

  private mutating func readMetre(_ value: JSONValue?) -> Metre? {
    guard let value, let text = text(value) else { return nil }
    if let metre = Metre(text) { return metre }
    report(
      .invalidValue, "'metre' cannot be \"\(ForeignText.shortened(text))\"", value.place,
      hints: ["beats and the note that is a beat, such as \"3/4\" or \"6/8\""])
    return nil
  }

  private mutating func tempoPoint(_ value: JSONValue) -> TempoMap.Point? {
    let spec = ChainFormat.tempoPoint
    guard let fields = fields(value, spec) else { return nil }
    let before = diagnostics.errorCount
    let position: TempoMap.Point.Position
    switch (fields["bar"], fields["time"]) {
    case (_?, nil):
      guard let bar = integer(fields, "bar", of: spec) else { return nil }
      position = .bar(bar)
    case (nil, _?):
      guard let seconds = number(fields, "time", of: spec) else { return nil }
      position = .seconds(seconds)
    case (_?, _?):
      report(
        .conflictingKeys, "a tempo point has either 'bar' or 'time', not both", opening(value))
      return nil
    case (nil, nil):
      report(.missingKey, "a tempo point needs 'bar' or 'time'", opening(value))
      return nil
    }
    let tempo = number(fields, "tempo", of: spec)
    let metre = readMetre(fields["metre"])
    let curve = text(fields["curve"])?.lowercased()
    if fields["tempo"] == nil, fields["metre"] == nil, diagnostics.errorCount == before {
      report(.missingKey, "a tempo point needs 'tempo' or 'metre'", opening(value))
    }
    if let curve, curve != "step", curve != "linear", let place = fields["curve"]?.place {
      report(
        .invalidValue, "'curve' cannot be \"\(ForeignText.shortened(curve))\"", place,
        hints: ["one of: step, linear"])
    }
    guard diagnostics.errorCount == before else { return nil }
    return TempoMap.Point(position, tempo: tempo, metre: metre, isGradual: curve == "linear")
  }
}

extension KeySpec {
  /// The key with only the first of its shapes.
  fileprivate var firstShape: KeySpec {
    guard case .either(let shapes) = shape, let first = shapes.first else { return self }
    return KeySpec(key, first, summary)
  }
}
