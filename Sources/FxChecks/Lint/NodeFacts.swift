import FxAudio
import FxChain
import FxEngine

/// The measurements of one node during a render.
struct NodeFacts: Sendable, Equatable {
  /// The input or the output of a node.
  struct Side: Sendable, Equatable {
    /// The highest magnitude, and the root mean square, of all channels.
    var peak = 0.0
    var rms = 0.0
    /// The mean of the channel with the largest offset.
    var mean = 0.0
    /// Samples that are subnormal, and the first frame with one.
    var subnormalCount = 0
    var firstSubnormal = 0
    /// Samples in runs of at least three that stay at the peak.
    var ceilingCount = 0
  }

  struct Limited: Sendable, Equatable {
    var slot: Int
    var share: Double
  }

  /// The node's index in the chain's graph.
  var node: Int
  var input: Side?
  var output: Side?
  /// The latency in frames that the node reports, and the latency of its input.
  var latency = 0
  var arrival = 0
  /// Parameters that control signals moved, and the share of frames in which they exceeded its
  /// range.
  var limited: [Limited] = []
  /// The delay of the output against the input; nil if unknown.
  var delay: DelayEstimate?
}

extension NodeFacts.Side {
  init(_ side: RenderFingerprint.Side) {
    self.init(side.samples, peak: side.peak, rms: side.rms)
  }

  init(_ channels: [[Float]], peak highest: Float, rms: Double) {
    peak = Double(highest)
    self.rms = rms
    for channel in channels {
      var sum = 0.0
      var run = 0
      for (frame, sample) in channel.enumerated() {
        sum += Double(sample)
        if sample.isSubnormal {
          if subnormalCount == 0 { firstSubnormal = frame }
          subnormalCount += 1
        }
        if highest > 0, abs(sample) == highest {
          run += 1
          ceilingCount += run == 3 ? 3 : run > 3 ? 1 : 0
        } else {
          run = 0
        }
      }
      let mean = sum / Double(max(channel.count, 1))
      if abs(mean) > abs(self.mean) { self.mean = mean }
    }
  }
}

extension NodeFacts {
  init(_ fingerprint: RenderFingerprint, latency: Int, arrival: Int, measuresDelay: Bool) {
    node = fingerprint.node
    input = fingerprint.input.map(Side.init)
    output = fingerprint.output.map(Side.init)
    self.latency = latency
    self.arrival = arrival
    limited = fingerprint.moved.map { Limited(slot: $0.slot, share: $0.limitedShare) }
    guard measuresDelay, let before = fingerprint.input?.samples,
      let after = (fingerprint.wet ?? fingerprint.output)?.samples,
      let loudest = after.indices.max(by: { Self.energy(after[$0]) < Self.energy(after[$1]) }),
      !before.isEmpty
    else { return }
    delay = DelayEstimate(of: after[loudest], behind: before[min(loudest, before.count - 1)])
  }

  private static func energy(_ samples: [Float]) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) }
  }
}

// MARK: JSON

extension NodeFacts {
  var json: JSONOutput {
    .members([
      "node": .integer(node), "input": input?.json, "output": output?.json,
      "latency": .integer(latency), "arrival": .integer(arrival),
      "delay": delay.map { .number(Double($0.frames)) },
      "clarity": delay.map { .number($0.clarity) },
      "limited": .array(
        limited.map { .members(["slot": .integer($0.slot), "share": .number($0.share)]) }),
    ])
  }

  init(_ value: ManifestValue) throws(Failure) {
    self.init(node: try value["node"].integer)
    input = try value.optional("input").map(Side.init)
    output = try value.optional("output").map(Side.init)
    latency = try value["latency"].integer
    arrival = try value["arrival"].integer
    limited = try value["limited"].list { part throws(Failure) in
      Limited(slot: try part["slot"].integer, share: try part["share"].number)
    }
    if let frames = try value.optional("delay")?.number,
      let clarity = try value.optional("clarity")?.number
    {
      delay = DelayEstimate(frames: Int(frames), clarity: clarity)
    }
  }
}

extension NodeFacts.Side {
  fileprivate var json: JSONOutput {
    func number(_ value: Double) -> JSONOutput { .number(value.isFinite ? value : 0) }
    return .members([
      "peak": number(peak), "rms": number(rms), "mean": number(mean),
      "subnormals": .integer(subnormalCount), "firstSubnormal": .integer(firstSubnormal),
      "ceiling": .integer(ceilingCount),
    ])
  }

  fileprivate init(_ value: ManifestValue) throws(Failure) {
    peak = try value["peak"].number
    rms = try value["rms"].number
    mean = try value["mean"].number
    subnormalCount = try value["subnormals"].integer
    firstSubnormal = try value["firstSubnormal"].integer
    ceilingCount = try value["ceiling"].integer
  }
}
