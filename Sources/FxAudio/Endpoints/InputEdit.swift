/// How the main input is played, in addition to the chain's own settings.
package struct InputEdit: Sendable, Hashable {
  /// Seconds of the input to skip and to play, for a part that is repeated or reversed.
  package var start: Double?
  package var duration: Double?
  package var playCount = 1
  package var isReversed = false
  /// Channels, from 1, in playing order; empty for all.
  package var channels: [Int] = []
  package var cut: SilenceCut?

  package init() {}

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
    endpoint.regions = [region]
    return endpoint
  }
}
