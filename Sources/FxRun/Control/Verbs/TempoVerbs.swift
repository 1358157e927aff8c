import ArgumentParser
import FxChain
import FxKit

/// Requests about the tempo.

struct TempoVerb: ControlVerb {
  static let verb = "tempo"
  static let arguments = "BPM"
  static let summary = "set the tempo: 96"
  static let details =
    "Set the tempo in beats a minute; values in beats, modulators and plugins follow."
  static let objects: KeyValuePairs = ["`{\"tempo\":96}`": ""]

  @Argument(help: "Beats a minute.") var tempo: Double

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    guard let tempo = members[verb]?.number else {
      throw ControlRequest.refusal("'\(verb)' is a number of beats a minute: 96")
    }
    return .live(.tempo(tempo))
  }

  var object: JSONOutput { .members([Self.verb: .number(tempo)]) }
}

struct TapVerb: ControlVerb {
  static let verb = "tap"
  static let summary = "tap a beat; two set the tempo"
  static let details =
    "Tap a beat. From the second tap on, the mean of the last eight sets the tempo."
  static let objects: KeyValuePairs = ["`{\"tap\":true}`": ""]

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    try bare(.tap, members)
  }

  func text(_ answer: JSONValue) -> String {
    guard case let tempo = ControlRequest.Members(answer)["transport"],
      let tempo, let number = ControlRequest.Members(tempo)["tempo"]?.number
    else { return "" }
    return "\(shortNumber(number)) bpm"
  }
}
