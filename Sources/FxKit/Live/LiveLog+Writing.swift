import FxChain

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
    func members(_ members: KeyValuePairs<String, JSONOutput?>) -> JSONOutput {
      .object(
        [JSONOutput.Member("frame", .integer(frame))]
          + members.compactMap { key, value in value.map { JSONOutput.Member(key, $0) } })
    }
    return switch change {
    case .pause: members(["pause": .bool(true)])
    case .resume: members(["resume": .bool(true)])
    case .seek(let place, let loop, let isFaded):
      members([
        "seek": .integer(place), "loopFrom": loop.map { .integer($0.from) },
        "loopTo": loop.flatMap { $0.to == .max ? nil : .integer($0.to) },
        "crossfade": loop.map { .integer($0.crossfade) },
        "faded": .bool(isFaded),
      ])
    case .volume(let amplitude, let frames):
      members(["volume": .number(Double(amplitude)), "frames": .integer(frames)])
    case .mute(let isOn, let frames):
      members(["mute": .bool(isOn), "frames": .integer(frames)])
    case .rested: members(["rested": .bool(true)])
    case .load(let path): members(["load": .string(path)])
    case .set(let parameter, let value, let seconds):
      .members([
        "frame": .integer(frame), "set": .string(parameter), "to": .level(value),
        "seconds": seconds.map { .number($0) },
      ])
    }
  }
}
