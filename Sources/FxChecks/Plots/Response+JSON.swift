package import FxChain

extension Response {
  /// All figures behind the curves, for other tools.
  package func json(_ subject: PlotSubject, panels: [PlotPanel]?) -> JSONOutput {
    let (drawn, sentences) = charts(panels)
    return .members([
      "subject": .string(subject.title), "sampleRate": .number(sampleRate),
      "output": .string(output), "latencyFrames": .integer(latency), "level": .number(level),
      "impulseLevel": .number(impulseLevel), "levelTone": .number(Self.levelTone),
      "isLevelDependent": .bool(isLevelDependent), "isTimeVariant": .bool(isTimeVariant),
      "ownSound": .number(ownSound), "variation": .number(variation),
      "levelDependence": .number(levelDependence), "isSmoothed": .bool(isSmoothed),
      "panels": .array(drawn.map { .string($0.panel.rawValue) }),
      "channels": .array(
        channels.indices.map { channel($0, drawn.map(\.panel)) }),
      "remarks": .array(sentences.map { .string($0) }),
    ])
  }

  private func channel(_ index: Int, _ panels: [PlotPanel]) -> JSONOutput {
    let channel = channels[index]
    func has(_ panel: PlotPanel) -> Bool { panels.contains(panel) }
    func numbers(_ values: some Sequence<Double>) -> JSONOutput {
      .array(values.map { .number($0) })
    }
    let magnitude = magnitudes[index]
    let members: JSONOutput = .members([
      "name": .string(channel.name.isEmpty ? "all" : channel.name),
      "magnitude": has(.magnitude)
        ? .members([
          "hertz": numbers(magnitude.map(\.x)), "decibels": numbers(magnitude.map(\.y)),
        ]) : nil,
      "phase": has(.phase)
        ? .members([
          "hertz": numbers(channel.points.map(\.hertz)),
          "degrees": numbers(channel.points.map { $0.phase * 180 / .pi }),
        ]) : nil,
      "groupDelay": has(.groupDelay)
        ? .members([
          "hertz": numbers(channel.points.map(\.hertz)),
          "seconds": numbers(channel.points.map(\.groupDelay)),
        ]) : nil,
      "impulse": has(.impulse)
        ? .members([
          "firstFrame": .integer(-impulseOrigin),
          "samples": numbers(channel.impulse.map { Double($0) }),
        ]) : nil,
      "staticCurve": has(.staticCurve)
        ? .members([
          "in": numbers(channel.levels.map(\.step.decibels)),
          "out": numbers(channel.levels.map(\.level)),
        ]) : nil,
    ])
    return members.with(
      (has(.harmonics) ? [.init("harmonics", .array(channel.levels.map(Self.json)))] : [])
        + (has(.distortion) ? [.init("distortion", .array(channel.tones.map(Self.json)))] : []))
  }

  private static func json(_ result: ToneSteps.Result) -> JSONOutput {
    .members([
      "hertz": .number(result.step.hertz), "level": .number(result.step.decibels),
      "fundamental": result.distortion.map { .number($0.fundamental) },
      "harmonics": result.distortion.map { .array($0.clearHarmonics.map { .number($0) }) },
      "thd": result.distortion.map { .number($0.clearTHD) },
    ])
  }
}
