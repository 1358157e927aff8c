import ArgumentParser
import FxChain
import FxKit

struct RecordVerb: ControlVerb {
  static let verb = "record"
  static let arguments = "start|stop [SINK]"
  static let summary = "start or stop a recording"
  static let details =
    "Start or stop the recording of a sink that has [`record`](live.md#recording-a-part), or of all that have it. "
    + "What was played just before a start is kept, as long as the sink's `preRoll`."
  static let keys = ["sink"]
  static let objects: KeyValuePairs = [
    "`{\"record\":true}`, `{\"record\":false,\"sink\":\"take\"}`": "`{\"ok\":true}`"
  ]
  private static let words = ["start", "stop"]

  @Argument(help: "start or stop.", completion: .list(words)) var word: String
  @Argument(help: "The node of the sink; without it all that start and stop.") var sink: String?

  func validate() throws {
    guard Self.words.contains(word) else {
      throw ValidationError("a recording is started or stopped: 'record start' or 'record stop'")
    }
  }

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    guard let starts = members[verb]?.bool else {
      throw ControlRequest.refusal("'record' is true to start and false to stop")
    }
    let sink = members["sink"] == nil ? nil : try members.text("sink")
    return .live(.record(starts, sink: sink))
  }

  var object: JSONOutput {
    .members([Self.verb: .bool(word == "start"), "sink": sink.map { .string($0) }])
  }
}
