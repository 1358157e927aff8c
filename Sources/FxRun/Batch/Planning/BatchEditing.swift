import FxChain
import FxChecks
package import FxKit

/// Edits of each file of a batch besides the chain: how the input is played, and how its ends are
/// shaped.
package struct BatchEditing: Sendable, Equatable {
  private var input = RenderRequest.MainInput()
  private var ends = RenderRequest.Ends()
  private var silence = RenderRequest.Silence()
  private var loudness: Double?

  package init() {}

  /// The edits of a render request.
  package init(_ request: RenderRequest) {
    input = request.mainInput
    ends = request.ends
    silence = request.silence
    loudness = request.loudness
  }

  func apply(to request: inout RenderRequest) {
    request.mainInput = input
    request.ends = ends
    request.silence = silence
    request.loudness = loudness
  }

  /// All settings, for a worker and for keys.
  var json: JSONOutput {
    .members([
      "repeat": .integer(input.playCount), "reverse": .bool(input.isReversed),
      "channels": .array(input.channels.map { .integer($0) }),
      "cutSilence": input.cutsSilence.map { .string($0.rawValue) },
      "fadeIn": .number(ends.fadeIn), "fadeOut": .number(ends.fadeOut),
      "padStart": .number(ends.padStart), "padEnd": .number(ends.padEnd),
      "silenceLevel": .number(silence.level), "silenceTime": .number(silence.time),
      "silenceKeep": silence.keep.map { .number($0) }, "loudness": loudness.map { .number($0) },
    ])
  }

  init(_ value: ManifestValue) throws(ManifestMistake) {
    input.playCount = try value["repeat"].integer
    input.isReversed = try value["reverse"].flag
    input.channels = try value["channels"].list { node throws(ManifestMistake) in try node.integer }
    input.cutsSilence = try value.optional("cutSilence")
      .flatMap { node throws(ManifestMistake) in try .init(rawValue: node.text) }
    ends.fadeIn = try value["fadeIn"].number
    ends.fadeOut = try value["fadeOut"].number
    ends.padStart = try value["padStart"].number
    ends.padEnd = try value["padEnd"].number
    silence.level = try value["silenceLevel"].number
    silence.time = try value["silenceTime"].number
    silence.keep = try value.optional("silenceKeep")?.number
    loudness = try value.optional("loudness")?.number
  }
}
