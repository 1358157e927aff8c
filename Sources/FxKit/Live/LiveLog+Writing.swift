package import FxChain

extension LiveLog.Header {
  var json: JSONOutput {
    .members([
      "log": .integer(LiveLog.version), "program": .string(program), "chain": .string(chain),
      "hash": .string(hash), "sampleRate": .number(sampleRate), "blockSize": .integer(blockSize),
      "startFrame": .integer(startFrame),
    ])
  }
}

extension LiveLog.Entry {
  var json: JSONOutput {
    switch change {
    case .set(let parameter, let value, let seconds):
      .members([
        "frame": .integer(frame), "set": .string(parameter), "to": .level(value),
        "seconds": seconds.map { .number($0) },
      ])
    }
  }
}

extension JSONOutput {
  /// A number, or as a text what JSON has no number for: `-inf`.
  package static func level(_ value: Double) -> JSONOutput {
    value.isFinite ? .number(value) : .string(value < 0 ? "-inf" : "inf")
  }
}
