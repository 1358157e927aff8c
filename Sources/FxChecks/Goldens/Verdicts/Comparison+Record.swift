import FxAudio
import FxChain

extension Comparison {
  /// The comparison with exact numbers, for another fxrun process.
  var record: JSONOutput {
    .members([
      "category": .string(category.rawValue),
      "expected": expected.record,
      "actual": actual.record,
      "channels": .array(channels.map(\.record)),
      "causes": .array(causes.map(\.record)),
      "unexplained": unexplained.map(JSONOutput.level),
      "explanation": explanation?.record,
      "bands": bands.isEmpty
        ? nil
        : .array(
          bands.map {
            .members(["hertz": .number($0.hertz), "decibels": .level($0.decibels)])
          }),
      "spectralDeviation": .level(spectralDeviation),
      "surplusPeak": .level(surplusPeak),
      "roundingBits": roundingBits.map { .integer($0) },
    ])
  }

  /// Reads a `record`.
  init(_ value: ManifestValue) throws(Failure) {
    self.init(
      expected: try Shape(value["expected"]), actual: try Shape(value["actual"]),
      category: try value["category"].word(Category.self),
      channels: try value["channels"].list(Channel.init),
      explanation: try value.optional("explanation").map(Explanation.init),
      bands: try value.optional("bands")?.list(Band.init) ?? [])
    causes = try value["causes"].list(Cause.init)
    unexplained = try value.optional("unexplained")?.level
    spectralDeviation = try value["spectralDeviation"].level
    surplusPeak = Float(try value["surplusPeak"].level)
    roundingBits = try value.optional("roundingBits")?.integer
  }
}

extension Comparison.Shape {
  fileprivate var record: JSONOutput {
    .members([
      "channels": .integer(channelCount), "frames": .integer(frameCount),
      "sampleRate": .number(sampleRate),
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      channelCount: try value["channels"].integer, frameCount: try value["frames"].integer,
      sampleRate: try value["sampleRate"].number)
  }
}

extension Comparison.Band {
  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(hertz: try value["hertz"].number, decibels: try value["decibels"].level)
  }
}

extension Comparison.Channel {
  fileprivate var record: JSONOutput {
    .members([
      "firstDifference": firstDifference.map { .integer($0) },
      "lastDifference": lastDifference.map { .integer($0) },
      "differingFrames": .integer(differingFrameCount),
      "peak": .level(peak), "peakFrame": .integer(peakFrame), "rms": .level(rms),
      "expectedPeak": .level(expectedPeak), "actualPeak": .level(actualPeak),
      "actualEnd": .integer(actualEnd),
      "nonFiniteSamples": .integer(nonFiniteCount),
      "firstNonFinite": firstNonFinite.map { .integer($0) },
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      firstDifference: try value.optional("firstDifference")?.integer,
      differingFrameCount: try value["differingFrames"].integer,
      peak: Float(try value["peak"].level), peakFrame: try value["peakFrame"].integer,
      rms: try value["rms"].level)
    lastDifference = try value.optional("lastDifference")?.integer
    expectedPeak = Float(try value["expectedPeak"].level)
    actualPeak = Float(try value["actualPeak"].level)
    actualEnd = try value["actualEnd"].integer
    nonFiniteCount = try value["nonFiniteSamples"].integer
    firstNonFinite = try value.optional("firstNonFinite")?.integer
  }
}

extension Comparison.Cause {
  fileprivate var record: JSONOutput {
    .members([
      "kind": .string(kind.rawValue), "words": .string(words), "reduction": .level(reduction),
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init(
      try value["kind"].word(Kind.self), try value["words"].text,
      reduction: try value["reduction"].level)
  }
}

extension Comparison.Explanation {
  fileprivate var record: JSONOutput {
    .members([
      "lag": .integer(lag),
      "isStartMissing": .bool(isStartMissing),
      "gain": .level(gain),
      "channelGains": channelGains.map { .array($0.map(JSONOutput.level)) },
      "isInverted": .bool(isInverted),
      "invertedChannels": invertedChannels.isEmpty
        ? nil : .array(invertedChannels.map(JSONOutput.integer)),
      "channelOrder": channelOrder.map { .array($0.map(JSONOutput.integer)) },
      "residualPeak": .level(residualPeak),
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    self.init()
    lag = try value["lag"].count
    isStartMissing = try value["isStartMissing"].flag
    gain = try value["gain"].level
    channelGains = try value.optional("channelGains")?.list { item throws(Failure) in
      try item.level
    }
    isInverted = try value["isInverted"].flag
    invertedChannels =
      try value.optional("invertedChannels")?.list { item throws(Failure) in
        try item.integer
      } ?? []
    channelOrder = try value.optional("channelOrder")?.list { item throws(Failure) in
      try item.integer
    }
    residualPeak = Float(try value["residualPeak"].level)
  }
}
