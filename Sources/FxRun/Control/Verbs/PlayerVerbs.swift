import ArgumentParser
import FxChain
import FxKit

// Requests about players: sources with a schedule of regions.

struct PlayVerb: ControlVerb {
  static let verb = "play"
  static let arguments = "FILE [TIME|now|last] [PLAYER]"
  static let summary = "queue a file in a player"
  static let details =
    "Play a file as another region of the chain's player: behind the last one, as soon as it can "
    + "(`now`), or at a time of the player. A region whose time has passed begins as soon as it "
    + "can, and the answer says how late."
  static let keys = ["at", "player", "region", "gain"]
  static let objects: KeyValuePairs = [
    "`{\"play\":\"/home/me/jingle.wav\",\"at\":\"now\",\"region\":\"jingle\",\"gain\":-6}`":
      "`{\"queued\":{\"player\":\"show\",\"region\":\"jingle\",\"seconds\":61.5,\"lateSeconds\":0,…}}`; "
      + "`at` is a time, `\"now\"` or `\"last\"`. Without `region`, an `id` that is a text names the region too. Paths count from the folder that fxrun was started in."
  ]
  static let isPatient = true

  @Argument(help: "A sound file.", completion: .file()) var file: String
  @Argument(help: "Seconds, m:ss, now or last.", completion: .list(["now", "last"])) var time:
    String?
  @Argument(help: "The node of the player, where there are several.") var player: String?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    var region = QueuedRegion(file: try members.text(verb))
    switch members["at"]?.string {
    case "last": region.time = .last
    case "now": region.time = .now
    default: if members["at"] != nil { region.time = .seconds(try members.time("at")) }
    }
    if members["player"] != nil { region.player = try members.text("player") }
    if members["region"] != nil {
      region.id = try members.text("region")
    } else if let id = members["id"]?.string, !id.isEmpty {
      region.id = id
    }
    if let gain = members["gain"] {
      guard let decibels = gain.number, decibels.isFinite else {
        throw ControlRequest.refusal("'gain' is a number of decibels")
      }
      region.gain = decibels
    }
    return .live(.play(region))
  }

  var object: JSONOutput {
    .members([
      Self.verb: .string(LoadVerb.absolute(file)), "at": time.map { .string($0) },
      "player": player.map { .string($0) },
    ])
  }

  func text(_ answer: JSONValue) -> String { ControlText.table("queued", of: answer) }
}

struct RemoveVerb: ControlVerb {
  static let verb = "remove"
  static let arguments = "REGION [PLAYER]"
  static let summary = "end a region of a player"
  static let details =
    "End the regions of a name: those that play fade out within 20 ms, those that wait do not begin."
  static let keys = ["player"]
  static let objects: KeyValuePairs = ["`{\"remove\":\"jingle\",\"player\":\"show\"}`": ""]

  @Argument(help: "The region's name.") var region: String
  @Argument(help: "The node of the player, where there are several.") var player: String?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    let player = members["player"] == nil ? nil : try members.text("player")
    return .live(.remove(region: try members.text(verb), player: player))
  }

  var object: JSONOutput {
    .members([Self.verb: .string(region), "player": player.map { .string($0) }])
  }
}

struct PlayersVerb: ControlVerb {
  static let verb = "players"
  static let summary = "what the players play"
  static let details = "Where each player is, and the regions that sound, as JSON."
  static let objects: KeyValuePairs = [
    "`{\"players\":true}`":
      "`{\"players\":[{\"player\":\"show\",\"seconds\":12.5,\"sounding\":[{\"region\":\"talk\",\"file\":\"talk.flac\",\"playedSeconds\":8.5,…}],\"waiting\":2}]}`"
  ]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.players, members)
  }

  func text(_ answer: JSONValue) -> String {
    ControlRequest.Members(answer)["players"]?.spelling ?? ""
  }
}
