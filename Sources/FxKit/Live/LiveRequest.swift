/// A request to a chain that plays.
public enum LiveRequest: Sendable, Hashable {
  /// Moves a parameter (`comp.threshold`, `reverb.wet`, `delay.bypass`, an exposed name) to a
  /// value: over `seconds`, or with its own smoothing, which is also the minimum.
  case set(parameter: String, to: LiveValue, seconds: Double? = nil)
  /// The last value set for a parameter, or a reading now (`tuner.frequency`), or a plugin's
  /// property.
  case get(parameter: String)
  /// Bypasses a node or ends the bypass; nil toggles.
  case bypass(node: String, on: Bool? = nil)
  /// Mutes a strip of a mixer (`mix.strips.voice`), or a node whose `gain` goes down to silence;
  /// nil toggles. Unmuting restores the level.
  case mute(node: String, on: Bool? = nil)
  /// Solos a strip of a mixer: all strips that are not soloed are silent. nil toggles.
  case solo(strip: String, on: Bool? = nil)
  /// Moves all parameters of a scene together.
  case scene(String)
  /// Handles a MIDI message, status and data bytes, as if the input `control` had received it; with a
  /// node, as if the MIDI input of that node had.
  case midi([UInt8], node: String? = nil)
  /// Binds the next received controller, note, pitch bend or pressure to a parameter, for this
  /// performance; nil stops learning. Answered when a message was received.
  case learn(parameter: String?)
  /// Every parameter, with its range and its value, and every reading.
  case parameters
  /// The playing chain, its device, and how long it has played.
  case status
  /// Reads the chain file again, or another file, and lets it take over without a gap. Unchanged
  /// nodes continue. Answered when the new chain has taken over. A chain that was made from a text is
  /// refused without a path.
  case load(path: String? = nil)
  /// Lets a chain of the program take over without a gap. Unchanged nodes continue. `keepingChanges` keeps
  /// what was changed while it played (parameters, bypasses, mutes, scenes) wherever both chains give a
  /// parameter the same value. Answered when it has taken over. Refused while changes are logged, because
  /// a replay could not repeat it.
  case replace(Chain, keepingChanges: Bool = false)
  /// The state of the performance: levels, readings, the time that each node takes.
  case snapshot
  /// Whether snapshots include the level of every node, which costs a little render time.
  case nodeLevels(Bool)
  /// Pauses or resumes the chain's files at their position. While paused, the chain processes
  /// silence, so its tails ring out; device inputs continue.
  case pause
  case resume
  /// Moves all files of the chain to another position, with a crossfade.
  case seek(to: LivePlace)
  /// Seeks relative to the current position, in seconds; negative values go backwards.
  case skip(seconds: Double)
  /// Repeats a part of all the chain's files; nil ends the loop, and the files continue behind it.
  case loop(LiveLoop?)
  /// The level of the device output, in decibels; output files keep their level. Moves over
  /// `seconds`, at least 20 ms.
  case volume(decibels: Double, seconds: Double? = nil)
  /// Mutes or unmutes the device output; nil toggles.
  case muteOutput(Bool? = nil)
  /// Stops rendering when everything has been silent for this many seconds; nil for never.
  case rest(seconds: Double?)
  /// Selects which of two chains is heard; nil for the other one.
  case ab(LiveSide? = nil)
  /// Sets the tempo in beats a minute from now on, in place of the chain's tempo.
  case tempo(Double)
  /// Taps a beat now. The tempo follows from the second tap on.
  case tap
  /// Starts or stops a recording: of the sink with this name, or nil for all sinks that can do so.
  case record(Bool, sink: String? = nil)
  /// Adds a file as a region of a player. Answered when the region is placed in the schedule.
  case play(QueuedRegion)
  /// Ends the regions with a name: sounding regions fade out, later ones do not begin.
  case remove(region: String, player: String? = nil)
  /// The positions of the players.
  case players
  /// The transport's state. `pause`, `resume`, `seek`, `skip`, `loop`, `volume`, `muteOutput`,
  /// `rest`, `ab`, `tempo` and `tap` are answered with it too.
  case transport
  /// Fades out and ends the performance.
  case stop
}

/// A value in a request.
public enum LiveValue: Sendable, Hashable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral
{
  /// In the parameter's own unit of measure.
  case number(Double)
  /// As chains write it: `"-18 dB"`, `"3.2 kHz"`, `"true"`.
  case text(String)

  public init(_ value: Double) { self = .number(value) }
  public init(floatLiteral value: Double) { self = .number(value) }
  public init(integerLiteral value: Int) { self = .number(Double(value)) }
  public init(stringLiteral value: String) { self = .text(value) }
}

/// The answer to a request.
public enum LiveAnswer: Sendable, Hashable {
  case done
  /// In the parameter's own unit of measure.
  case value(Double)
  /// A linear gain, to be shown in decibels.
  case gain(Double)
  case snapshot(LiveSnapshot)
  /// The new state of a switch.
  case switched(Bool)
  case parameters([LiveParameter], readings: [LiveReading])
  case reading(LiveReading)
  /// The value of a plugin's property.
  case property(LiveProperty)
  case status(LiveStatus)
  case transport(LiveTransport)
  /// The place of a region in the schedule.
  case queued(PlacedRegion)
  case players([LivePlayer])
  /// The learned mapping, as a JSON object for the chain's `midi`.
  case learned(String)
  /// Another chain plays; the text says what changed.
  case loaded(String)
}
