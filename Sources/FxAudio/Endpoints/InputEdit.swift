/// How the main input is played, in addition to the chain's own settings.
public struct InputEdit: Sendable, Hashable {
  /// Seconds of the input to skip and to play, for a part that is repeated or reversed.
  package var start: Double?
  package var duration: Double?
  /// How many times the part that the request chooses is played.
  public var playCount = 1
  /// Plays that part backwards.
  public var isReversed = false
  /// Channels, from 1, in playing order; empty for all.
  public var channels: [Int] = []
  /// Mixes the channels to one, their mean.
  public var isMono = false
  /// Silence to remove. The request's `start` and `duration` count in the remaining sound.
  public var cut: SilenceCut?

  public init() {}

  /// True if the edits do not move the sound in time.
  package var keepsTime: Bool { playCount == 1 && !isReversed && cut == nil }

  package var isPlain: Bool { self == InputEdit() }

  /// The endpoint with these edits.
  package func apply(to endpoint: SourceEndpoint) -> SourceEndpoint {
    var endpoint = endpoint
    if let cut { endpoint.options.merge(cut.options) { $1 } }
    var rest = self
    rest.cut = nil
    guard !rest.isPlain else { return endpoint }
    var region = endpoint.regions.first ?? PlayerRegion(file: endpoint.target)
    if let start { region.start = .seconds(start) }
    if let duration { region.duration = .seconds(duration) }
    if playCount != 1 { region.playCount = playCount }
    if isReversed { region.isReversed = true }
    if !channels.isEmpty { region.channels = channels }
    if isMono { region.isMono = true }
    region.reportsOmissions = channels == [1]
    endpoint.regions = [region]
    return endpoint
  }
}
