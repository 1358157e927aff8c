import FxDiagnostics
import FxKit

/// Requests about what plays and how loud, as clients send them.
enum TransportRequest {
  typealias Members = ControlRequest.Members

  static func read(_ verb: String, _ members: Members) throws(ChainFailure) -> LiveRequest {
    switch verb {
    case "pause":
      try members.expectTrue(verb)
      return .pause
    case "resume":
      try members.expectTrue(verb)
      return .resume
    case "transport":
      try members.expectTrue(verb)
      return .transport
    case "seek": return .seek(to: .seconds(try time(members, "seek")))
    case "skip": return .skip(seconds: try number(members, "skip"))
    case "loop":
      if members["loop"]?.bool == false { return .loop(nil) }
      if members["loop"]?.bool == true { return .loop(LiveLoop()) }
      return .loop(
        LiveLoop(
          from: .seconds(try time(members, "loop")),
          to: members["to"] == nil ? nil : .seconds(try time(members, "to")),
          crossfade: try members.seconds("crossfade") ?? LiveLoop.usualCrossfade))
    case "volume":
      return .volume(
        decibels: try decibels(members, "volume"), seconds: try members.seconds("seconds"))
    case "rest":
      if members["rest"]?.bool == false { return .rest(seconds: nil) }
      return .rest(seconds: try time(members, "rest"))
    default:
      guard let word = members["ab"]?.string else {
        try members.expectTrue("ab")
        return .ab(nil)
      }
      guard let side = LiveSide(rawValue: word) else {
        throw ControlRequest.refusal("'ab' is \"a\", \"b\" or true for the other one")
      }
      return .ab(side)
    }
  }

  private static func number(_ members: Members, _ key: String) throws(ChainFailure) -> Double {
    let number = members[key]?.number ?? members[key]?.string.flatMap(Double.init)
    guard let number, number.isFinite else {
      throw ControlRequest.refusal("'\(key)' is a number of seconds")
    }
    return number
  }

  /// Seconds, or `m:ss`.
  private static func time(_ members: Members, _ key: String) throws(ChainFailure) -> Double {
    if let seconds = members[key]?.number { return seconds }
    guard let text = members[key]?.string, let time = TimeArgument(argument: text) else {
      throw ControlRequest.refusal("'\(key)' is a time of 0 s or more: seconds, or \"m:ss\"")
    }
    return time.seconds
  }

  private static func decibels(_ members: Members, _ key: String) throws(ChainFailure) -> Double {
    if let number = members[key]?.number { return number }
    guard let text = members[key]?.string, let level = DecibelArgument(argument: text) else {
      throw ControlRequest.refusal("'\(key)' is a level in decibels: -6, or \"-6 dB\"")
    }
    return level.decibels
  }
}
