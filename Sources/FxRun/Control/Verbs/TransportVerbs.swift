import ArgumentParser
import FxChain
import FxKit

// Requests about transport and volume.

struct PauseVerb: ControlVerb {
  static let verb = "pause"
  static let summary = "pause the files; tails ring out"
  static let details = "Pause the files; [what happens to the rest](live.md#while-it-plays)."
  static let objects: KeyValuePairs = ["`{\"pause\":true}`": ""]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.pause, members)
  }
}

struct ResumeVerb: ControlVerb {
  static let verb = "resume"
  static let summary = "resume the files"
  static let details = "Resume the files."
  static let objects: KeyValuePairs = ["`{\"resume\":true}`": ""]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.resume, members)
  }
}

struct SeekVerb: ControlVerb {
  static let verb = "seek"
  static let arguments = "TIME"
  static let summary = "go to a place in the files: 90, 1:30"
  static let details = "Go to a place in the files: `90`, `1:30`."
  static let objects: KeyValuePairs = [
    "`{\"seek\":90}`":
      "seconds, or `\"1:30\"`; answered when it is accepted, which is before it is heard"
  ]

  @Argument(help: "Seconds, or m:ss.") var time: String

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(.seek(to: .seconds(try members.time(verb))))
  }

  var object: JSONOutput { .members([Self.verb: .string(time)]) }
}

struct SkipVerb: ControlVerb {
  static let verb = "skip"
  static let arguments = "SECONDS"
  static let summary = "skip forward, or back below zero"
  static let details = "Skip forward by this many seconds; `skip -10` goes back."
  static let objects: KeyValuePairs = ["`{\"skip\":-10}`": "the same"]

  @Argument(help: "Seconds; below zero backwards.") var seconds: String

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    let number = members[verb]?.number ?? members[verb]?.string.flatMap(Double.init)
    guard let number, number.isFinite else {
      throw ControlRequest.refusal("'\(verb)' is a number of seconds")
    }
    return .live(.skip(seconds: number))
  }

  var object: JSONOutput { .members([Self.verb: .string(seconds)]) }
}

struct LoopVerb: ControlVerb {
  static let verb = "loop"
  static let arguments = "[FROM [TO]]|off"
  static let summary = "loop a part"
  static let details = "Loop a part of the files; `loop off` goes on behind it."
  static let keys = ["to", "crossfade"]
  static let objects: KeyValuePairs = [
    "`{\"loop\":10,\"to\":20,\"crossfade\":0.005}`, `{\"loop\":true}`, `{\"loop\":false}`":
      "a part, everything, nothing"
  ]

  @Argument(
    help: "Where the part begins, or off; without it everything.", completion: .list(["off"]))
  var from: String?
  @Argument(help: "Where it ends; without it at the end.") var to: String?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    if let isOn = members[verb]?.bool {
      try members.expectNone(of: keys, beside: verb)
      return .live(.loop(isOn ? LiveLoop() : nil))
    }
    return .live(
      .loop(
        LiveLoop(
          from: .seconds(try members.time(verb)),
          to: members["to"] == nil ? nil : .seconds(try members.time("to")),
          crossfade: try members.seconds("crossfade") ?? LiveLoop.usualCrossfade)))
  }

  var object: JSONOutput {
    .members([
      Self.verb: from == "off" ? .bool(false) : from.map { .string($0) } ?? .bool(true),
      "to": to.map { .string($0) },
    ])
  }
}

struct VolumeVerb: ControlVerb {
  static let verb = "volume"
  static let arguments = "LEVEL [SECONDS]"
  static let summary = "the playback level: -6dB"
  static let details = "Set the playback level. Files that are written keep their level."
  static let keys = ["seconds"]
  static let objects: KeyValuePairs = [
    "`{\"volume\":-6,\"seconds\":2}`": "a number or `\"-6 dB\"`"
  ]

  @Argument(help: "In decibels.") var level: String
  @Argument(help: "How long it takes.") var seconds: SecondsArgument?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(.volume(decibels: try decibels(members), seconds: try members.seconds("seconds")))
  }

  private static func decibels(_ members: ControlRequest.Members) throws(ChainFailure) -> Double {
    if let number = members[verb]?.number { return number }
    guard let text = members[verb]?.string, let level = DecibelArgument(argument: text) else {
      throw ControlRequest.refusal("'\(verb)' is a level in decibels: -6, or \"-6 dB\"")
    }
    return level.decibels
  }

  var object: JSONOutput {
    .members([Self.verb: .string(level), "seconds": seconds.map { .number($0.seconds) }])
  }
}

struct RestVerb: ControlVerb {
  static let verb = "rest"
  static let arguments = "SECONDS|off"
  static let summary = "stop rendering while all is silent"
  static let details = "Stop rendering after this much silence."
  static let objects: KeyValuePairs = ["`{\"rest\":10}`, `{\"rest\":false}`": ""]

  @Argument(help: "Seconds of silence, or off for never.", completion: .list(["off"])) var seconds:
    String

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    if members[verb]?.bool == false { return .live(.rest(seconds: nil)) }
    return .live(.rest(seconds: try members.time(verb)))
  }

  var object: JSONOutput {
    .members([Self.verb: seconds == "off" ? .bool(false) : .string(seconds)])
  }
}

struct ABVerb: ControlVerb {
  static let verb = "ab"
  static let arguments = "[a|b]"
  static let summary = "switch between two chains"
  static let details = "Switch between the two chains of `--ab`."
  static let objects: KeyValuePairs = [
    "`{\"ab\":\"b\"}`, `{\"ab\":true}`": "this chain, or the other"
  ]

  @Argument(help: "Which chain; without it the other.", completion: .list(["a", "b"])) var side:
    String?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    guard let word = members[verb]?.string else { return try bare(.ab(nil), members) }
    guard let side = LiveSide(rawValue: word) else {
      throw ControlRequest.refusal("'ab' is \"a\", \"b\" or true for the other chain")
    }
    return .live(.ab(side))
  }

  var object: JSONOutput { .members([Self.verb: side.map { .string($0) } ?? .bool(true)]) }
}

struct TransportVerb: ControlVerb {
  static let verb = "transport"
  static let summary = "the place in the files, and the volume"
  static let details = "The place in the files, the volume, the loop and the chain that is heard."
  static let objects: KeyValuePairs = [
    "`{\"transport\":true}`":
      "`{\"transport\":{\"seconds\":12.3,\"paused\":false,\"volume\":0,\"tempo\":96,\"bar\":4,\"beat\":2.5,…}}`"
  ]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.transport, members)
  }

  func text(_ answer: JSONValue) -> String { ControlText.table(Self.verb, of: answer) }
}
