import CRealtime
import FxKit
import Glibc

extension Manifest {
  /// Waits until a second has passed since a time of the monotonic clock, by default now, if the chain has plugins.
  /// Then another render is in another second of the time of day, which many plugins use as the seed
  /// of their random numbers.
  ///
  /// - Returns: false if the golden is no longer wanted.
  package func waitForNextSecond(since start: Double? = nil, isUnwanted: () -> Bool = { false })
    -> Bool
  {
    guard environment.units.contains(where: { $0.binary != nil }) else { return true }
    let start = start ?? fx_monotonic_seconds()
    while true {
      let rest = start + 1.01 - fx_monotonic_seconds()
      guard rest > 0 else { return true }
      if isUnwanted() { return false }
      usleep(UInt32(min(rest, 0.05) * 1e6))
    }
  }
}
