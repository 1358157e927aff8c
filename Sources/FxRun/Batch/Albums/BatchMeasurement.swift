import FxAudio
import FxChain
import FxChecks

/// The measurement of one output before any gain.
struct BatchMeasurement: Sendable, Equatable {
  /// The chain's sound, before it is written.
  var sound: MeasuredLoudness
  /// The file as a player decodes it.
  var file: MeasuredLoudness
  /// Whether the file changes the sound at any level, and not only where it clips.
  var isLossy: Bool

  init(sound: MeasuredLoudness, file: MeasuredLoudness, isLossy: Bool = false) {
    self.sound = sound
    self.file = file
    self.isLossy = isLossy
  }

  var json: JSONOutput {
    .members([
      "lossy": .bool(isLossy), "sound": sound.json, "file": file == sound ? nil : file.json,
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    isLossy = try value["lossy"].flag
    sound = try MeasuredLoudness(value["sound"])
    file =
      try value.optional("file").map { value throws(Failure) in
        try MeasuredLoudness(value)
      } ?? sound
  }
}

extension MeasuredLoudness {
  /// The loudness and the true peak are for readers; the blocks are what is added.
  fileprivate var json: JSONOutput {
    .members([
      "loudness": .level(blocks.integrated()), "truePeak": .number(truePeak),
      "blocks": .array(
        blocks.bins.sorted { $0.key < $1.key }.map { place, bin in
          .array([.integer(place), .integer(bin.count), .number(bin.energy)])
        }),
    ])
  }

  /// The places of bins that a meter can have: from -140 to 30 LUFS.
  private static let places = -140 * LoudnessBlocks.binsPerUnit..<30 * LoudnessBlocks.binsPerUnit

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    var bins: [Int: LoudnessBlocks.Bin] = [:]
    let rows = try value["blocks"].list { row throws(Failure) in
      try row.list { number throws(Failure) in try number.number }
    }
    for row in rows {
      guard row.count == 3, let place = Int(exactly: row[0]), Self.places.contains(place),
        bins[place] == nil, let count = Int(exactly: row[1]), count > 0, row[2] > 0
      else {
        throw Failure(.badRecord, "has a wrong row of loudness blocks")
      }
      bins[place] = LoudnessBlocks.Bin(count: count, energy: row[2])
    }
    let truePeak = try value["truePeak"].number
    guard truePeak >= 0 else { throw Failure(.badRecord, "has a true peak below 0") }
    self.init(LoudnessBlocks(bins), truePeak: truePeak)
  }
}
