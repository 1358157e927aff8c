import FxChain
import FxKit

/// The state of playback as one JSON object.
enum SnapshotReport {
  static func json(_ snapshot: LiveSnapshot) -> JSONOutput {
    .members([
      "event": .string("meters"),
      "state": .string(snapshot.state.rawValue),
      "chain": .string(snapshot.chain),
      "device": .string(snapshot.device),
      "captureDevice": snapshot.captureDevice.map { .string($0) },
      "sampleRate": .number(snapshot.sampleRate),
      "periodFrames": .integer(snapshot.periodFrames),
      "bufferFrames": .integer(snapshot.bufferFrames),
      "blockFrames": .integer(snapshot.blockFrames),
      "elapsedSeconds": .number(rounded(snapshot.elapsedSeconds, 1000)),
      "positionSeconds": .number(rounded(snapshot.positionSeconds, 1000)),
      "tempo": snapshot.tempo.map { .number(rounded($0, 1000)) },
      "bar": snapshot.bar.map { .integer($0) },
      "beat": snapshot.beat.map { .number(rounded($0, 1000)) },
      "lengthSeconds": snapshot.lengthSeconds.map { .number(rounded($0, 1000)) },
      "latencyFrames": .integer(snapshot.latencyFrames),
      "roundTripFrames": snapshot.roundTripFrames.map { .integer($0) },
      "xruns": .integer(snapshot.counts.xruns),
      "ownXruns": .integer(snapshot.counts.ownXruns),
      "gaps": .integer(snapshot.counts.gaps),
      "suspensions": .integer(snapshot.counts.suspensions),
      "returns": .integer(snapshot.counts.returns),
      "lostFrames": .integer(snapshot.counts.lostFrames),
      "blocks": snapshot.blocks.map(json),
      "sources": .array(snapshot.sources.map(json)),
      "sinks": .array(snapshot.sinks.map(json)),
      "nodes": .array(snapshot.nodes.map(json)),
      "betweenNodes": snapshot.betweenNodes.map(json),
    ])
  }

  private static func json(_ stream: LiveSnapshot.Stream) -> JSONOutput {
    .members([
      "node": .string(stream.name), "name": stream.place.map { .string($0) },
      "channels": .array(
        stream.channels.map { level in
          .members([
            "peak": decibels(level.peak), "rms": decibels(level.rms),
            "highest": decibels(level.highest), "clippedSamples": .integer(level.clippedSamples),
          ])
        }),
    ])
  }

  private static func json(_ node: LiveSnapshot.Node) -> JSONOutput {
    .members([
      "node": .string(node.id), "unit": .string(node.unit),
      "readings": node.readings.isEmpty
        ? nil
        : .object(
          node.readings.map { reading in
            let values = reading.values.map { ReadingReport.value($0, unit: reading.measure) }
            return JSONOutput.Member(
              reading.id, values.count == 1 ? values[0] : .array(values))
          }),
      "units": node.readings.isEmpty
        ? nil : .object(node.readings.map { JSONOutput.Member($0.id, .string($0.measure)) }),
      "names": node.readings.isEmpty
        ? nil : .object(node.readings.map { JSONOutput.Member($0.id, .string($0.name)) }),
      "peak": node.peak.map(decibels), "load": node.load.map(json),
    ])
  }

  /// Shares of a block's duration.
  static func json(_ load: LiveSnapshot.Load) -> JSONOutput {
    .members([
      "now": share(load.now), "mean": share(load.mean), "p50": share(load.p50),
      "p99": share(load.p99), "p999": share(load.p999), "max": share(load.maximum),
    ])
  }

  /// The cost of a node, as in the summary.
  static func json(_ cost: NodeCost) -> JSONOutput {
    .members([
      "node": cost.node.isEmpty ? .null : .string(cost.node),
      "unit": cost.node.isEmpty ? .null : .string(cost.unit),
      "share": share(cost.share),
      "nanosecondsPerFrame": .number(rounded(cost.nanosecondsPerFrame, 1000)),
      "mean": share(cost.load.mean), "p50": share(cost.load.p50), "p99": share(cost.load.p99),
      "p999": share(cost.load.p999), "max": share(cost.load.maximum),
    ])
  }

  private static func share(_ value: Double) -> JSONOutput { .number(rounded(value, 1e6)) }

  /// Rounded to a hundredth of a decibel; null for silence.
  private static func decibels(_ value: Double) -> JSONOutput {
    value.isFinite && value > -200 ? .number(rounded(value, 100)) : .null
  }

  private static func rounded(_ value: Double, _ scale: Double) -> Double {
    guard value.isFinite else { return value }
    return (value * scale).rounded() / scale
  }
}
