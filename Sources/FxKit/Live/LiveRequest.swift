/// What can be asked of a chain while it plays.
public enum LiveRequest: Sendable, Hashable {
  /// Sends a parameter (`comp.threshold`, `reverb.wet`, `delay.bypass`, an exposed name) towards a
  /// value: over so many seconds, or by its own smoothing, which is also the least.
  case set(parameter: String, to: LiveValue, seconds: Double? = nil)
  /// The value that a parameter was given last, or a reading as it is now (`tuner.freq_out`).
  case get(parameter: String)
  /// Lets a node pass its input on, or not; nil for the other way round.
  case bypass(node: String, on: Bool? = nil)
  /// Silences a strip of a mixer (`mix.strips.voice`), or a node whose `gain` goes down to silence;
  /// nil for the other way round. Afterwards it is as loud as before.
  case mute(node: String, on: Bool? = nil)
  /// Silences every strip of a mixer that is not soloed; nil for the other way round.
  case solo(strip: String, on: Bool? = nil)
  /// Moves all that a scene of the chain names, together.
  case scene(String)
  /// A MIDI message, its status and its data, as if it had come in at the input `control`.
  case midi([UInt8])
  /// Binds the next controller, note, bend or pressure that is heard to a parameter, for this
  /// performance; nil to learn nothing. Answered once something was heard.
  case learn(parameter: String?)
  /// Every parameter, with its range and its value, and every reading.
  case parameters
  /// What plays, where, and since when.
  case status
  /// Reads the chain file again, or another one, and lets it take over from what plays: without a
  /// gap, with what is the same going on as it was. Answered once it has been taken over.
  case load(path: String? = nil)
  /// How the performance stands: levels, readings, what each node takes.
  case snapshot
  /// Whether snapshots have the level of every node, which costs the render a little.
  case nodeLevels(Bool)
  /// The chain's files stop where they are, and go on from there; the chain goes on with silence, so
  /// that its tails ring out. What a device records goes on as well.
  case pause
  case resume
  /// All of the chain's files go to another place, faded over.
  case seek(to: LivePlace)
  /// The same from where they are, in seconds; below zero backwards.
  case skip(seconds: Double)
  /// All of the chain's files go round in a part; nil to go on behind it.
  case loop(LiveLoop?)
  /// The level of what is heard, in decibels; files beside it keep theirs. Over so many seconds, at
  /// least 20 ms.
  case volume(decibels: Double, seconds: Double? = nil)
  /// What is heard goes silent, or sounds again; nil changes it.
  case muteOutput(Bool? = nil)
  /// Nothing is rendered any more once all has been silent for so many seconds; nil for never.
  case rest(seconds: Double?)
  /// Which of two chains is heard; nil for the other one.
  case ab(LiveSide? = nil)
  /// Beats a minute from now on, in place of what the chain says.
  case tempo(Double)
  /// A beat, now: from the second one on they say the tempo.
  case tap
  /// Starts or stops a recording: of the sink of this name, nil for all that start and stop.
  case record(Bool, sink: String? = nil)
  /// Plays a file as another region of a player. Answered once it has its place.
  case play(QueuedRegion)
  /// Ends the regions of a name: those that sound fade out, those to come do not begin.
  case remove(region: String, player: String? = nil)
  /// Where the players are.
  case players
  /// How the performance goes. It is also what the requests from `pause` on are answered with.
  case transport
  /// Fades out and ends.
  case stop
}

/// A value as it is given while a chain plays.
public enum LiveValue: Sendable, Hashable, ExpressibleByFloatLiteral, ExpressibleByStringLiteral {
  /// In the parameter's own unit of measure.
  case number(Double)
  /// As chains write it: `"-18 dB"`, `"3.2 kHz"`, `"true"`.
  case text(String)

  public init(floatLiteral value: Double) { self = .number(value) }
  public init(stringLiteral value: String) { self = .text(value) }
}

/// What a request came to.
public enum LiveAnswer: Sendable, Hashable {
  case done
  /// In the parameter's own unit of measure.
  case value(Double)
  /// A linear gain, which is shown in decibels.
  case gain(Double)
  case snapshot(LiveSnapshot)
  /// What was turned on or off is so now.
  case switched(Bool)
  case parameters([LiveParameter], readings: [LiveReading])
  case reading(LiveReading)
  /// What a plugin says that a property of it is.
  case property(LiveProperty)
  case status(LiveStatus)
  case transport(LiveTransport)
  /// Where a region has come to.
  case queued(PlacedRegion)
  case players([LivePlayer])
  /// What was heard is bound; the mapping as an object for the chain's `midi`.
  case learned(String)
  /// Another chain plays; a sentence says what is different.
  case loaded(String)
}
