import FxAudio
import FxChain
import FxChecks
import FxKit
import FxMedia

/// How the loudness of one job is treated, in place of the request's own loudness.
struct Levelling: Sendable, Equatable {
  /// Renders the job only to measure it.
  var isOnlyMeasured = false
  /// The gain and the level of the job's album.
  var album: AlbumGain?
  /// The sound has the wanted loudness already, and gets no gain.
  var isAlreadyRight = false
  /// The output is a copy of the input.
  var isCopied = false

  init() {}

  /// True if the request's own loudness does not count.
  var replacesLoudness: Bool { isOnlyMeasured || album != nil || isAlreadyRight }

  var json: JSONOutput {
    .members([
      "onlyMeasured": .bool(isOnlyMeasured), "alreadyRight": .bool(isAlreadyRight),
      "copied": .bool(isCopied), "album": album?.json,
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    isOnlyMeasured = try value["onlyMeasured"].flag
    isAlreadyRight = try value["alreadyRight"].flag
    isCopied = try value["copied"].flag
    album = try value.optional("album").map { value throws(Failure) in try AlbumGain(value) }
  }
}

extension AlbumGain {
  /// Full precision: the numbers decide the output's bytes.
  var json: JSONOutput {
    .members([
      "gain": gain.map { .number($0) }, "loudness": level.map { .number($0.loudness) },
      "truePeak": level.map { .number($0.truePeak) },
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    self.init(gain: try value.optional("gain").map { value throws(Failure) in try value.number })
    if let loudness = value.optional("loudness") {
      level = SoundTags.Level(
        loudness: try loudness.number, truePeak: try value["truePeak"].number)
    }
  }
}
