import FxChain
import FxKit

/// Regions and players as JSON objects.
enum PlayerReport {
  static func json(_ region: PlayedRegion) -> JSONOutput { .members(members(region)) }

  private static func members(_ region: PlayedRegion) -> KeyValuePairs<String, JSONOutput?> {
    [
      "player": .string(region.player), "region": region.id.map { .string($0) },
      "file": .string(region.file), "frame": .integer(region.frame),
      "seconds": .number(rounded(region.seconds)),
      "durationSeconds": region.durationSeconds.map { .number(rounded($0)) },
    ]
  }

  /// Named by the kind of event.
  static func json(_ event: RegionEvent) -> JSONOutput {
    joined(["event": .string(event.kind.rawValue)], json(event.region))
  }

  static func json(_ placed: PlacedRegion) -> JSONOutput {
    joined(["lateSeconds": .number(rounded(placed.lateSeconds))], json(placed.region))
  }

  static func json(_ player: LivePlayer) -> JSONOutput {
    .members([
      "player": .string(player.node), "seconds": .number(rounded(player.seconds)),
      "sounding": .array(
        player.sounding.map {
          joined(["playedSeconds": .number(rounded($0.playedSeconds))], json($0.region))
        }),
      "waiting": .integer(player.waiting),
    ])
  }

  private static func joined(
    _ first: KeyValuePairs<String, JSONOutput?>, _ second: JSONOutput
  ) -> JSONOutput {
    guard case .object(let head) = JSONOutput.members(first), case .object(let rest) = second
    else { return second }
    return .object(head + rest)
  }

  private static func rounded(_ seconds: Double) -> Double {
    (seconds * 1_000_000).rounded() / 1_000_000
  }
}
