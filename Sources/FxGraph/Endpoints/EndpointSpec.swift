package import FxAudio

/// What a chain file may say of a kind of source or sink, declared once by the kind: the reader, its
/// messages, the schema and the reference page go by it.
package struct EndpointSpec: Sendable {
  /// What stands behind the kind's key.
  package enum Target: Sendable, Hashable {
    /// A name that the chain gives it, such as `an input`.
    case name(String)
    /// A file.
    case path
    /// An address that starts with `http://` or `https://`.
    case address
    /// A text, or `true` for the usual one.
    case text(usual: String)
    /// One of these words.
    case choice([String])
    /// `true` and nothing else.
    case presence
    /// A list of regions.
    case regions
  }

  /// The key, which names the kind in messages too.
  package let key: String
  /// A sentence for the schema and the reference page; Markdown.
  package let summary: String
  package let target: Target
  /// Texts that stand for the kind without an object, and the target that each of them means.
  package let shorthands: [String: String]
  /// Further keys. None has to be given; one without a default is left out where it is not.
  package let options: [OptionSpec]
  /// How many channels it has, in a few words for the reference page.
  package let channels: String
  package let abilities: Set<Ability>
  /// What is wrong with the options that were given although each is in its range.
  package let conflict: @Sendable (_ options: [String: OptionValue]) -> OptionConflict?

  /// Whether it may say where in a file it begins and how that is played.
  package let isRegion: Bool

  /// What is wrong with a source at a sample rate, as a sentence; nil for nothing.
  package let mistake: @Sendable (SourceEndpoint, _ sampleRate: Double) -> String?

  /// What a source or a sink of the kind can do. Of what is opened its reader knows more: a file
  /// may be a pipe.
  package enum Ability: String, Sendable, Hashable, CaseIterable {
    /// Goes to any frame.
    case seek
    /// Is played over and over.
    case loop
    /// Says how long it is before it is read.
    case knownLength = "known length"
    /// Sounds while it is made: it cannot wait without a loss.
    case live
    /// Has a clock that sets the speed.
    case paced
  }

  package init(
    _ key: String, _ summary: String, _ target: Target, shorthands: [String: String] = [:],
    options: [OptionSpec] = [], channels: String, abilities: Set<Ability>,
    isRegion: Bool = false,
    conflict: @escaping @Sendable ([String: OptionValue]) -> OptionConflict? = { _ in nil },
    mistake: @escaping @Sendable (SourceEndpoint, Double) -> String? = { _, _ in nil }
  ) {
    self.key = key
    self.summary = summary
    self.target = target
    self.shorthands = shorthands
    self.options = options
    self.channels = channels
    self.abilities = abilities
    self.isRegion = isRegion
    self.conflict = conflict
    self.mistake = mistake
  }
}

/// Why the value of an option is wrong, alone or beside the others.
package struct OptionConflict: Sendable, Hashable {
  package let key: String
  /// False where the value alone is wrong.
  package let concernsOthers: Bool
  package let message: String
  package let hint: String

  package init(_ key: String, concernsOthers: Bool, _ message: String, hint: String) {
    self.key = key
    self.concernsOthers = concernsOthers
    self.message = message
    self.hint = hint
  }
}

/// The kinds that a chain file may name, in the order of the reference page.
package struct EndpointCatalog: Sendable {
  package var sources: [(spec: EndpointSpec, nature: SourceNature)]
  package var sinks: [(spec: EndpointSpec, nature: SinkNature)]

  package init(
    sources: [(spec: EndpointSpec, nature: SourceNature)] = [],
    sinks: [(spec: EndpointSpec, nature: SinkNature)] = []
  ) {
    self.sources = sources
    self.sinks = sinks
  }
}

extension EndpointSpec {
  /// Channels that a source or a sink may have.
  package static let channelCounts = 1...256

  /// What the channels of a source are for.
  package static let layout = OptionSpec(
    "layout",
    "What its channels are for, in the order of a WAV file; default: what the source says itself, "
      + "otherwise the usual layout of so many.",
    .choice(ChannelLayout.named.map(\.name) + ["discrete"]), default: nil)

  /// Refuses a layout of another number of channels.
  package static func layoutConflict(_ options: [String: OptionValue]) -> OptionConflict? {
    guard let count = options.integer("channels"), let layout = options.layout(of: count),
      layout.channelCount != count
    else { return nil }
    return OptionConflict(
      "layout", concernsOthers: true,
      "'layout' \(layout) has \(layout.channelCount) channels, and 'channels' is \(count)",
      hint: "leave 'channels' out")
  }
}
