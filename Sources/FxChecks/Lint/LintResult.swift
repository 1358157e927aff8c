import FxAudio
import FxChain
import FxKit

/// The result of a process, as it is sent back.
struct LintResult: Sendable, Equatable {
  /// One render.
  struct Run: Sendable, Equatable {
    /// For each output, the digest of all its samples.
    var digests: [String]
    var fingerprints: NodeFingerprints
    var latency: Int
    /// The size of a node's recording; channels are stored one after another.
    var recordedChannelCount = 0
    var recordedFrameCount = 0
  }

  /// One output of the chain.
  struct Sink: Sendable, Equatable {
    var node: Int
    var peak: Double
    var clippedCount: Int
    var sampleCount: Int
    var nonFiniteCount: Int
    /// The highest magnitude after the end of the chain's tail; nil if the tail ends at silence.
    var restPeak: Double?
  }

  var runs: [Run] = []
  var failure: ChainFailure?
  var sampleRate = 48000.0
  var blockSize = 0
  var frameCount = 0
  var tailPolicy = ""
  var tailWasCut = false
  var sinks: [Sink] = []
  /// Empty if nothing was measured.
  var facts: [NodeFacts] = []
  /// Parts of the chain whose removal does not change the sound.
  var unheard: [Exercise.Part] = []
  /// The warnings that the process has printed; they are not part of its answer.
  var warnings: [String] = []
}

// MARK: JSON

extension LintResult {
  var json: JSONOutput {
    .members([
      "runs": .array(runs.map(\.json)),
      "failure": failure?.json,
      "sampleRate": .number(sampleRate), "blockSize": .integer(blockSize),
      "frames": .integer(frameCount), "tail": .string(tailPolicy), "tailCut": .bool(tailWasCut),
      "sinks": .array(sinks.map(\.json)),
      "facts": .array(facts.map(\.json)),
      "unheard": .array(
        unheard.map { .members(["node": .integer($0.node), "words": .string($0.words)]) }),
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    runs = try value["runs"].list(Run.init)
    failure = try value.optional("failure").map(ChainFailure.init)
    sampleRate = try value["sampleRate"].number
    blockSize = try value["blockSize"].integer
    frameCount = try value["frames"].integer
    tailPolicy = try value["tail"].text
    tailWasCut = try value["tailCut"].flag
    sinks = try value["sinks"].list(Sink.init)
    facts = try value["facts"].list(NodeFacts.init)
    unheard = try value["unheard"].list { part throws(Failure) in
      Exercise.Part(node: try part["node"].integer, words: try part["words"].text)
    }
  }
}

extension LintResult.Run {
  fileprivate var json: JSONOutput {
    .members([
      "digests": .array(digests.map { .string($0) }), "prints": fingerprints.json,
      "latency": .integer(latency),
      "channels": .integer(recordedChannelCount), "frames": .integer(recordedFrameCount),
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    digests = try value["digests"].list { text throws(Failure) in try text.text }
    fingerprints = try NodeFingerprints(value["prints"])
    latency = try value["latency"].integer
    recordedChannelCount = try value["channels"].integer
    recordedFrameCount = try value["frames"].integer
  }
}

extension LintResult.Sink {
  fileprivate var json: JSONOutput {
    .members([
      "node": .integer(node), "peak": .number(peak.isFinite ? peak : 0),
      "clipped": .integer(clippedCount), "samples": .integer(sampleCount),
      "nonFinite": .integer(nonFiniteCount),
      "rest": restPeak.map { .number($0.isFinite ? $0 : 0) },
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    node = try value["node"].integer
    peak = try value["peak"].number
    clippedCount = try value["clipped"].integer
    sampleCount = try value["samples"].integer
    nonFiniteCount = try value["nonFinite"].integer
    restPeak = try value.optional("rest")?.number
  }
}
