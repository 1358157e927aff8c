/// What a unit knows before it renders.
package struct Preparation: Sendable {
  /// The id of the unit's spec.
  package var unit = ""
  /// The revision of the unit's spec.
  package var revision = 1
  /// The id of the node in its chain; for messages.
  package var node = ""
  /// Frames a second.
  package var sampleRate: Double
  /// No block is longer.
  package var maximumFrameCount: Int
  /// The length of every block but the last and those that a loop cuts.
  package var nominalFrameCount: Int
  /// Channels of each input bus in the order of the spec; 0 where nothing feeds an optional bus.
  package var inputWidths: [Int]
  package var outputWidths: [Int]
  /// Of a plugin, the readings that are outputs too: the last channels, one each.
  package var controlReadings: [Int] = []
  /// What the channels of the first input bus are for.
  package var layout: ChannelLayout
  /// Every option of the spec, defaults filled in.
  package var options: [String: OptionValue]
  package var items: [ListItem]
  /// The sounds that options of the unit and of its items name, by file.
  package var sounds: [String: SoundAsset] = [:]
  /// What the pass before the render has measured for it; nil before that, and for a unit that
  /// measures nothing.
  package var measured: [Double]?
  /// The value each parameter starts with, in the chain's units of measure and in slot order.
  package var parameters: [Double]
  /// True on a sound card: a late block is lost.
  package var isLive: Bool
  /// For units with noise in them.
  package var seed: UInt64
  /// Where the unit publishes its readings: the cells of each `ReadingSpec`, one after the other.
  package var readings: ReadingBoard
  /// What a chain says of a plugin beside its parameters.
  package var setup = PluginSetup()
  /// MIDI that is known beforehand, in the order of its frames.
  package var events: [MIDIEvent] = []
  /// Of the unit's event inputs, those that something leads into.
  package var eventInputs: Set<Int> = []
  /// Of its event outputs, those that lead somewhere.
  package var eventOutputs: Set<Int> = []
  /// MIDI that is played while the unit renders, live; nil where there is none.
  package var inbox: MIDIInbox?
  /// True when every render is exactly `nominalFrameCount` frames long.
  package var hasFixedBlocks = false
  /// Live, frames from what is recorded to what is heard of it; 0 where that is not known.
  package var roundTrip = 0
  /// Frames of it by which all that is not recorded has waited on its way to the unit.
  package var waitedRoundTrip = 0
  /// Frames by which what is played leaves the chain late. Known once all latencies are: a latency
  /// may not depend on it.
  package var playedLatency = 0
  /// Beats a minute; nil where the chain names no tempo.
  package var tempo: Double?

  package init(
    sampleRate: Double, maximumFrameCount: Int, nominalFrameCount: Int? = nil,
    inputWidths: [Int], outputWidths: [Int], options: [String: OptionValue] = [:],
    items: [ListItem] = [], parameters: [Double] = [], isLive: Bool = false, seed: UInt64 = 0,
    readings: ReadingBoard = ReadingBoard(cellCount: 0)
  ) {
    self.sampleRate = sampleRate
    self.maximumFrameCount = maximumFrameCount
    self.nominalFrameCount = nominalFrameCount ?? maximumFrameCount
    self.inputWidths = inputWidths
    self.outputWidths = outputWidths
    layout = .usual(inputWidths.first ?? 0)
    self.options = options
    self.items = items
    self.parameters = parameters
    self.isLive = isLive
    self.seed = seed
    self.readings = readings
  }

  /// Channels of the first input bus.
  package var channelCount: Int { inputWidths.first ?? 0 }

  package func text(_ key: String) -> String? {
    if case .text(let text)? = options[key] { text } else { nil }
  }

  package func number(_ key: String) -> Double? {
    if case .number(let number)? = options[key] { number } else { nil }
  }

  package func flag(_ key: String) -> Bool? {
    if case .flag(let flag)? = options[key] { flag } else { nil }
  }

  /// The sound that an option names.
  package func sound(_ key: String) -> SoundAsset? {
    options[key]?.soundPath.flatMap { sounds[$0] }
  }
}

extension Preparation {
  /// The value that the parameter in a slot starts with; NaN where nobody says.
  package func initial(_ slot: Int) -> Double {
    slot < parameters.count ? parameters[slot] : .nan
  }

  /// The value that a parameter starts with; its default where none is given.
  package func initial(_ slot: Int, of spec: UnitSpec) -> Double {
    slot < parameters.count ? parameters[slot] : spec.parameters[slot].defaultValue
  }
}
