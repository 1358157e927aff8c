/// The keys and values of a kind of source or sink in a chain file, declared once by the kind. The
/// reader, its messages, the schema and the reference page use this.
package struct EndpointSpec: Sendable {
  /// The value of the kind's key.
  package enum Target: Sendable, Hashable {
    /// A name chosen by the chain, such as `an input`.
    case name(String)
    /// A file.
    case path
    /// An address that starts with `http://` or `https://`.
    case address
    /// A text, or `true` for the default.
    case text(usual: String)
    /// One of these words.
    case choice([String])
    /// Only `true`.
    case presence
    /// A list of regions.
    case regions
  }

  /// The key, which also names the kind in messages.
  package let key: String
  /// A sentence for the schema and the reference page; Markdown.
  package let summary: String
  package let target: Target
  /// Texts that may replace the whole object, with the target that each one means.
  package let shorthands: [String: String]
  /// More keys. All are optional; a key without a default has no value if it is not given.
  package let options: [OptionSpec]
  /// The number of channels, in a few words for the reference page.
  package let channels: String
  package let abilities: Set<Ability>
  /// Checks the options together; each one is already in its range.
  package let conflict: @Sendable (_ options: [String: OptionValue]) -> OptionConflict?

  /// Whether it may give a region of a file and how to play it.
  package let isRegion: Bool

  /// Checks a source at a sample rate. Returns the error as a sentence; nil if there is none.
  package let mistake: @Sendable (SourceEndpoint, _ sampleRate: Double) -> String?

  /// What a source or a sink of the kind can do. The reader of an opened endpoint knows more: a
  /// file may be a pipe.
  package enum Ability: String, Sendable, Hashable, CaseIterable {
    /// Can seek to any frame.
    case seek
    /// Can be repeated.
    case loop
    /// Knows its length before it is read.
    case knownLength = "known length"
    /// Records or plays in real time: it cannot wait without losing sound.
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

/// Why the value of an option is wrong, alone or together with others.
package struct OptionConflict: Sendable, Hashable {
  package let key: String
  /// False if the value alone is wrong.
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

/// The kinds that a chain file can use, in the order of the reference page.
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
  /// The allowed numbers of channels of a source or a sink.
  package static let channelCounts = 1...256

  /// The channel layout of a source.
  package static let layout = OptionSpec(
    "layout",
    "The channel layout, in the order of a WAV file; default: the source's own, otherwise the "
      + "usual layout for its number of channels.",
    .choice(ChannelLayout.named.map(\.name) + ["discrete"]), default: nil)

  /// Rejects a layout with a different number of channels.
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
