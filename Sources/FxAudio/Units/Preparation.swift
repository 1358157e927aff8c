/// The settings that a unit receives before it renders.
public struct Preparation: Sendable {
  /// The id of the unit's spec.
  public var unit = ""
  /// The revision of the unit's spec.
  public var revision = 1
  /// The id of the node in its chain; for messages.
  public var node = ""
  /// In Hz.
  public var sampleRate: Double
  /// The maximum length of a block.
  public var maximumFrameCount: Int
  /// The usual length of a block. The last block, and blocks that a loop cuts, may be shorter.
  public var nominalFrameCount: Int
  /// Channels of each input bus in the order of the spec; 0 where nothing feeds an optional bus.
  public var inputWidths: [Int]
  public var outputWidths: [Int]
  /// Readings of a plugin that are also outputs: they are the last channels, one each.
  package var controlReadings: [Int] = []
  /// The channel layout of the first input bus.
  public var layout: ChannelLayout
  /// Every option of the spec, defaults filled in.
  public var options: [String: OptionValue]
  public var items: [ListItem]
  /// The sounds that options of the unit and of its items name, by file path.
  public var sounds: [String: SoundAsset] = [:]
  /// The models that options of the unit name, by file path.
  package var models: [String: NeuralModel] = [:]
  /// The result of the pass before the render; nil before that pass, and for a unit that measures
  /// nothing.
  public var measured: [Double]?
  /// The initial value of each parameter, in the chain's units of measure and in slot order.
  public var parameters: [Double]
  /// True on a sound card, where a late block is lost.
  public var isLive: Bool
  /// The random seed, for units with noise.
  public var seed: UInt64
  /// The memory for the unit's readings: the cells of each `ReadingSpec`, one after another.
  public package(set) var readings: ReadingBoard
  /// Plugin settings from the chain other than parameters.
  package var setup = PluginSetup()
  /// MIDI that is known in advance, sorted by frame.
  public var events: [MIDIEvent] = []
  /// The unit's event inputs that are connected.
  public var eventInputs: Set<Int> = []
  /// The unit's event outputs that are connected.
  public var eventOutputs: Set<Int> = []
  /// MIDI received live while the unit renders; nil where there is none.
  package var inbox: MIDIInbox?
  /// True when every render is exactly `nominalFrameCount` frames long.
  package var hasFixedBlocks = false
  /// Live, the round-trip latency in frames: from playback to the recording of what was played; 0
  /// where it is unknown.
  package var roundTrip = 0
  /// Frames of the round trip by which signals that are not recorded are already delayed when they
  /// reach the unit.
  package var waitedRoundTrip = 0
  /// The latency in frames of the output that is played. It is set once all latencies are known, so
  /// a unit's latency must not depend on it.
  package var playedLatency = 0
  /// Live, the frames that the playback device holds before they sound.
  package var playbackFrames = 0
  /// Beats per minute; nil where the chain sets no tempo.
  public var tempo: Double?

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
  public var channelCount: Int { inputWidths.first ?? 0 }

  public func text(_ key: String) -> String? {
    if case .text(let text)? = options[key] { text } else { nil }
  }

  public func number(_ key: String) -> Double? {
    if case .number(let number)? = options[key] { number } else { nil }
  }

  public func flag(_ key: String) -> Bool? {
    if case .flag(let flag)? = options[key] { flag } else { nil }
  }

  /// The sound that an option names.
  public func sound(_ key: String) -> SoundAsset? {
    options[key]?.soundPath.flatMap { sounds[$0] }
  }

  /// The model that an option names.
  package func model(_ key: String) -> NeuralModel? {
    options[key]?.modelPath.flatMap { models[$0] }
  }
}

extension Preparation {
  /// The initial value of the parameter in a slot; NaN where none is given.
  public func initial(_ slot: Int) -> Double {
    slot < parameters.count ? parameters[slot] : .nan
  }

  /// The initial value of a parameter; its default where none is given.
  public func initial(_ slot: Int, of spec: UnitSpec) -> Double {
    slot < parameters.count ? parameters[slot] : spec.parameters[slot].defaultValue
  }
}
