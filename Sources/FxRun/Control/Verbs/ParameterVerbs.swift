import ArgumentParser
import FxChain
import FxKit

// Requests about parameters, nodes and strips.

struct GetVerb: ControlVerb {
  static let verb = "get"
  static let arguments = "NAME"
  static let summary = "the value of a parameter, a reading or a plugin's property"
  static let details =
    "The value that a parameter was given last, or a reading of a unit as it is now, with its unit of "
    + "measure: `tuner.frequency`. A property of a plugin, `sampler.sample`, is asked of the plugin "
    + "itself, which has half a second to answer."
  static let objects: KeyValuePairs = [
    "`{\"get\":\"comp.threshold\"}`":
      "`{\"value\":-20}`; silence is `{\"value\":\"-inf\"}`; a linear gain of a plugin is "
      + "`{\"value\":0.25,\"decibels\":-12.04}`",
    "`{\"get\":\"tuner.frequency\"}`, a reading":
      "`{\"name\":\"tuner.frequency\",\"summary\":\"Detected Frequency\",\"unit\":\"Hz\",\"value\":440}`; "
      + "`value` is a list where there is one a channel, and null for silence",
    "`{\"get\":\"sampler.sample\"}`, a property":
      "`{\"name\":\"sampler.sample\",\"summary\":\"sample\",\"value\":\"/usr/share/click.wav\"}`",
  ]

  @Argument(
    help: "The parameter, the reading or the property.", completion: .words(.playedParameters))
  var name: String

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(.get(parameter: try members.text(verb)))
  }

  var object: JSONOutput { .members([Self.verb: .string(name)]) }
  func text(_ answer: JSONValue) -> String { ControlText.value(answer) }
}

struct SetVerb: ControlVerb {
  static let verb = "set"
  static let arguments = "NAME VALUE [SECONDS]"
  static let summary = "set a parameter: -20dB, 3.2kHz, true"
  static let details =
    "Set a parameter to a value, written as in a chain. It moves there on an S-curve, without a "
    + "click: by its own smoothing, or in the given seconds."
  static let keys = ["to", "seconds"]
  static let objects: KeyValuePairs = [
    "`{\"set\":\"comp.threshold\",\"to\":\"-20 dB\",\"seconds\":0.5}`":
      "`{\"ok\":true}` once it is queued for the render, which applies it at its next block. `to` is a number in the parameter's own unit of measure, a text as chains write it, "
      + "or `true` or `false`; `seconds` may be left out."
  ]

  @Argument(help: "The parameter.", completion: .words(.playedParameters)) var name: String
  @Argument(help: "The value, as chains write it.") var value: String
  @Argument(help: "How long it takes.") var seconds: SecondsArgument?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(
      .set(
        parameter: try members.text(verb), to: try members.value("to"),
        seconds: try members.seconds("seconds")))
  }

  var object: JSONOutput {
    .members([
      Self.verb: .string(name), "to": .string(value),
      "seconds": seconds.map { .number($0.seconds) },
    ])
  }
}

/// A request that turns something on or off, or toggles it.
protocol SwitchVerb: ControlVerb {
  var name: String { get }
  var isOn: OnOrOff? { get }
}

extension SwitchVerb {
  static var keys: [String] { ["on"] }

  var object: JSONOutput {
    .members([Self.verb: .string(name), "on": isOn.map { .bool($0 == .on) }])
  }

  func text(_ answer: JSONValue) -> String {
    ControlRequest.Members(answer)["on"]?.bool == true ? "on" : "off"
  }
}

enum OnOrOff: String, ExpressibleByArgument, CaseIterable {
  case on, off
}

struct BypassVerb: SwitchVerb {
  static let verb = "bypass"
  static let arguments = "NODE [on|off]"
  static let summary = "bypass a node"
  static let details =
    "Bypass a node: it passes its input on, with the same latency. Without `on` or `off` it is "
    + "toggled, as all switches are."
  static let objects: KeyValuePairs = [
    "`{\"bypass\":\"delay\",\"on\":true}`": "`{\"on\":true}`; without `on` it is toggled"
  ]

  @Argument(help: "The node.", completion: .words(.playedNodes)) var name: String
  @Argument(help: "Without it the switch is toggled.") var isOn: OnOrOff?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(.bypass(node: try members.text(verb), on: try members.flag("on")))
  }
}

struct MuteVerb: SwitchVerb {
  static let verb = "mute"
  static let arguments = "[NAME [on|off]]"
  static let summary = "mute a strip, a gain or the playback"
  static let details =
    "Mute a strip of a mixer (`mix.strips.voice`), or a node whose `gain` goes down to silence. "
    + "When it is unmuted its level returns; a strip keeps a level that it was given meanwhile, and a node that is given a level is no longer muted. Without "
    + "a name: mute the playback, or unmute it."
  static let objects: KeyValuePairs = [
    "`{\"mute\":\"mix.strips.voice\"}`": "`{\"on\":true}`",
    "`{\"mute\":true}`, `{\"mute\":\"output\"}`":
      "the playback; `{\"transport\":{…}}`, as all from `pause` to `transport`",
  ]

  @Argument(
    help: "The strip or the node; without it the playback.", completion: .words(.playedGains))
  var name = "output"
  @Argument(help: "Without it the switch is toggled.") var isOn: OnOrOff?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    if let isOn = members[verb]?.bool {
      try members.expectNone(of: keys, beside: verb)
      return .live(.muteOutput(isOn))
    }
    if members[verb]?.string == "output" { return .live(.muteOutput(try members.flag("on"))) }
    return .live(.mute(node: try members.text(verb), on: try members.flag("on")))
  }

  func text(_ answer: JSONValue) -> String {
    guard let isOn = ControlRequest.Members(answer)["on"]?.bool else { return "" }
    return isOn ? "on" : "off"
  }
}

struct SoloVerb: SwitchVerb {
  static let verb = "solo"
  static let arguments = "NAME [on|off]"
  static let summary = "solo a strip of a mixer"
  static let details =
    "Solo a strip: the strips of the mixer that are not soloed are silent. Several can be soloed."
  static let objects: KeyValuePairs = ["`{\"solo\":\"mix.strips.voice\"}`": "`{\"on\":true}`"]

  @Argument(help: "The strip.", completion: .words(.playedGains)) var name: String
  @Argument(help: "Without it the switch is toggled.") var isOn: OnOrOff?

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(.solo(strip: try members.text(verb), on: try members.flag("on")))
  }
}

struct SceneVerb: ControlVerb {
  static let verb = "scene"
  static let arguments = "NAME"
  static let summary = "change to a scene of the chain"
  static let details = "Change to a [scene](chain-format.md#scenes) of the chain."
  static let objects: KeyValuePairs = ["`{\"scene\":\"clean\"}`": "`{\"ok\":true}`"]

  @Argument(help: "The scene.", completion: .words(.playedScenes)) var name: String

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    .live(.scene(try members.text(verb)))
  }

  var object: JSONOutput { .members([Self.verb: .string(name)]) }
}

struct MIDIVerb: ControlVerb {
  static let verb = "midi"
  static let arguments = "[NODE] BYTE…"
  static let summary = "a MIDI message, as if it had come in: 176 74 64"
  static let details =
    "Receive a MIDI message, its bytes as numbers, as if it had come in: for the chain's MIDI controls, or for the "
    + "node that is named first and plays MIDI."
  static let keys = ["node"]
  static let objects: KeyValuePairs = [
    "`{\"midi\":[176,74,64]}`: handled as if it had come in at the MIDI input": "`{\"ok\":true}`",
    "`{\"midi\":[144,60,100],\"node\":\"synth\"}`: played by a node": "`{\"ok\":true}`",
  ]

  @Argument(
    help:
      "A node that plays the message, without one the chain's MIDI controls; the status and the data, 0 to 255 each."
  )
  var words: [String]

  /// The first word, if it is no number.
  private var node: String? { words.first.flatMap { Int($0) == nil ? $0 : nil } }
  private var bytes: [UInt8] { words.dropFirst(node == nil ? 0 : 1).compactMap { UInt8($0) } }

  func validate() throws {
    guard !bytes.isEmpty, bytes.count == words.count - (node == nil ? 0 : 1) else {
      throw ValidationError(
        "a MIDI message is bytes from 0 to 255: midi 176 74 64, midi synth 144 60 100")
    }
  }

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    let node = members["node"] == nil ? nil : try members.text("node")
    return .live(.midi(try members.bytes(verb), node: node))
  }

  var object: JSONOutput {
    .members([
      Self.verb: .array(bytes.map { .integer(Int($0)) }), "node": node.map { .string($0) },
    ])
  }
}

struct LearnVerb: ControlVerb {
  static let verb = "learn"
  static let arguments = "NAME|off"
  static let summary = "bind the next MIDI control that is moved"
  static let details =
    "Bind the next MIDI controller, note, bend or pressure to a parameter, for this performance; "
    + "prints the mapping for the chain's `\"midi\"`."
  static let objects: KeyValuePairs = [
    "`{\"learn\":\"filter.frequency\"}`, answered when a control is moved; `{\"learn\":false}` ends it":
      "`{\"learned\":\"{\\\"cc\\\":74,…}\"}`"
  ]
  static let isPatient = true

  @Argument(
    help: "The parameter, or off to learn nothing.", completion: .words(.learnedParameters))
  var name: String

  static func read(_ members: ControlRequest.Members) throws(ChainFailure) -> ControlRequest.Verb {
    if members[verb]?.bool == false { return .live(.learn(parameter: nil)) }
    return .live(.learn(parameter: try members.text(verb)))
  }

  var object: JSONOutput {
    .members([Self.verb: name == "off" ? .bool(false) : .string(name)])
  }

  func text(_ answer: JSONValue) -> String { ControlText.word("learned", of: answer) }
}
