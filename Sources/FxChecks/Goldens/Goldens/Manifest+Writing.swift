package import FxChain
import FxKit

extension Manifest {
  /// The manifest as JSON, one fact per line, so that a version control diff is readable.
  package var json: JSONOutput {
    .members([
      "golden": .integer(Self.version),
      "comment": .string(
        "Written by fxrun test --update: what this golden sounds like, and what it was made with."),
      "signals": .integer(signals.rawValue),
      "outputs": .array(outputs.map(\.json)),
      "environment": environment.json,
      "nodes": fingerprints.json,
      "cost": cost?.json,
    ])
  }
}

/// Sixteen hexadecimal digits.
package func hexadecimal(_ value: UInt64) -> String {
  let text = String(value, radix: 16)
  return String(repeating: "0", count: 16 - text.count) + text
}

extension Manifest.Output {
  fileprivate var json: JSONOutput {
    .members([
      "name": .string(name), "channels": .integer(shape.channelCount),
      "frames": .integer(shape.frameCount), "sampleRate": .number(shape.sampleRate),
      "digest": .string(hexadecimal(digest)), "sound": sound.map { .string($0) },
      "soundDigest": soundDigest.map { .string(hexadecimal($0)) },
    ])
  }
}

extension RenderEnvironment {
  fileprivate var json: JSONOutput {
    .members([
      "fxrun": .string(fxrun), "chain": .string(chain), "sampleRate": .number(sampleRate),
      "blockSize": .integer(blockSize), "processor": .string(processor),
      "flushesDenormals": .bool(flushesDenormals), "seed": .string(String(seed)),
      "inputs": .object(
        inputs.keys.sorted().map {
          .init($0, .string(hexadecimal(inputs[$0] ?? 0)))
        }),
      "units": .array(units.map(\.json)),
      "shapes": shapes.isEmpty ? nil : .array(shapes.map(\.json)),
      "midi": midi.isEmpty
        ? nil
        : .object(
          midi.sorted { $0.key < $1.key }.map { node, messages in
            .init(node, .array(messages.map { .string($0) }))
          }),
      "graph": .array(
        graph.map { fact in
          // A list, because two values may have the same name.
          .members([
            "of": .string(fact.name),
            "is": .array(fact.values.map { .string("\($0.key): \($0.value)") }),
          ])
        }),
    ])
  }
}

extension NodeShape {
  fileprivate var json: JSONOutput {
    .members([
      "node": .string(node), "latency": .integer(latency),
      "inputs": .array(inputs.map { .string($0) }), "outputs": .array(outputs.map { .string($0) }),
      "instances": instances.map { .integer($0) },
    ])
  }
}

extension UnitIdentity {
  fileprivate var json: JSONOutput {
    .members([
      "node": .string(node), "unit": .string(unit), "version": .string(version),
      "binary": binary.map { .string($0) }, "state": state.map { .string($0) },
      "bundles": bundles.isEmpty ? nil : .array(bundles.map { .string($0) }),
    ])
  }
}

extension NodeFingerprints {
  package var json: JSONOutput {
    .members([
      "windowFrames": .integer(windowFrameCount),
      "frames": frameCount.map { .integer($0) },
      "prints": .array(nodes.map(\.json)),
    ])
  }
}

extension NodeFingerprint {
  fileprivate var json: JSONOutput {
    .members([
      "node": .string(id), "unit": .string(unit),
      "hears": sources.isEmpty ? nil : .array(sources.map { .string($0) }),
      "later": delays.isEmpty
        ? nil
        : .object(delays.keys.sorted().map { .init($0, .integer(delays[$0] ?? 0)) }),
      "repeats": repeats ? nil : .bool(false), "input": input?.json, "output": output?.json,
    ])
  }
}

extension NodeFingerprint.Side {
  fileprivate var json: JSONOutput {
    .members([
      "channels": .integer(channelCount), "peak": .number(peak), "rms": .number(rms),
      "windows": .string(
        windows.map { String(hexadecimal(UInt64($0)).suffix(8)) }.joined()),
    ])
  }
}

extension NodeCosts {
  fileprivate var json: JSONOutput {
    .members([
      "total": .number(total),
      "nodes": .object(nodes.map { .init($0.id, .number($0.cost)) }),
    ])
  }
}
