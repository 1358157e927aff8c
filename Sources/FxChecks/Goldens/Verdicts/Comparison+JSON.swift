import FxAudio
package import FxChain

extension Comparison {
  /// For programs: the category, the sentences, and all figures without rounding. Levels and gains
  /// are in dB, frequencies in Hz. Infinite values are null.
  package var json: JSONOutput {
    .members([
      "category": .string(category.rawValue),
      "lines": .array(lines.map { .string($0) }),
      "expected": expected.json,
      "actual": actual.json,
      "channels": .array(channels.indices.map { json(ofChannel: $0) }),
      "causes": category == .same ? nil : .array(causes.map(\.json)),
      "unexplained": unexplained.map { .number(Math.decibels(amplitude: $0)) },
      "explanation": explanation?.json,
      "bands": bands.isEmpty
        ? nil
        : .array(
          bands.map {
            .members(["frequency": .number($0.hertz), "gain": .number($0.decibels)])
          }),
      "spectralDeviation": category == .same ? nil : .number(spectralDeviation),
      "roundingBits": roundingBits.map { .integer($0) },
    ])
  }

  private func json(ofChannel index: Int) -> JSONOutput {
    let channel = channels[index]
    let isDifferent = channel.firstDifference != nil
    return .members([
      "firstDifference": channel.firstDifference.map { .integer($0) },
      "lastDifference": channel.lastDifference.map { .integer($0) },
      "differingFrames": .integer(channel.differingFrameCount),
      "peakDifference": isDifferent
        ? .number(Math.decibels(amplitude: Double(channel.peak))) : nil,
      "peakDifferenceFrame": isDifferent ? .integer(channel.peakFrame) : nil,
      "rmsDifference": isDifferent ? .number(Math.decibels(amplitude: channel.rms)) : nil,
      "expectedPeak": .number(Math.decibels(amplitude: Double(channel.expectedPeak))),
      "actualPeak": .number(Math.decibels(amplitude: Double(channel.actualPeak))),
      "nonFiniteSamples": .integer(channel.nonFiniteCount),
      "firstNonFinite": channel.firstNonFinite.map { .integer($0) },
    ])
  }
}

extension Comparison.Shape {
  package var json: JSONOutput {
    .members([
      "channels": .integer(channelCount), "frames": .integer(frameCount),
      "sampleRate": .number(sampleRate),
    ])
  }
}

extension Comparison.Cause {
  fileprivate var json: JSONOutput {
    .members([
      "kind": .string(kind.rawValue), "words": .string(words), "reduction": .number(reduction),
    ])
  }
}

extension Comparison.Explanation {
  package var json: JSONOutput {
    .members([
      "lag": .integer(lag),
      "isStartMissing": isStartMissing ? .bool(true) : nil,
      "gain": .number(gain),
      "channelGains": channelGains.map { .array($0.map { .number($0) }) },
      "isInverted": .bool(isInverted),
      "invertedChannels": invertedChannels.isEmpty
        ? nil : .array(invertedChannels.map { .integer($0 + 1) }),
      "channelOrder": channelOrder.map { .array($0.map { .integer($0 + 1) }) },
      "residualPeak": .number(Math.decibels(amplitude: Double(residualPeak))),
    ])
  }
}
