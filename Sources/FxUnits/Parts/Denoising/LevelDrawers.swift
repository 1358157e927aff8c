import FxAudio

/// Sums of spectra, sorted by level into drawers of one decibel, so that the mean of the quietest
/// can be taken at the end. On the control thread.
struct LevelDrawers {
  private static let drawerCount = 200

  /// Sums over spectra.
  struct Sum {
    var count = 0
    /// Power by bin.
    var powers: [Double] = []
    /// The binary logarithm of the power by bin; empty if it is not wanted.
    var logarithms: [Double] = []

    fileprivate mutating func add(_ other: Sum) {
      guard count > 0 else { return self = other }
      count += other.count
      for index in powers.indices { powers[index] += other.powers[index] }
      for index in logarithms.indices { logarithms[index] += other.logarithms[index] }
    }
  }

  private var sums = [Sum](repeating: Sum(), count: drawerCount)

  /// The number of spectra.
  var count: Int { sums.reduce(0) { $0 + $1.count } }

  /// Adds a spectrum.
  /// - Parameter level: Its mean power; 1 is full scale. Below 1e-16 (-160 dB) all share a drawer.
  mutating func add(powers: [Double], logarithms: [Double] = [], level: Double) {
    let drawer = min(max(Int(160 + 3.010_3 * Math.log2(level)), 0), Self.drawerCount - 1)
    sums[drawer].add(Sum(count: 1, powers: powers, logarithms: logarithms))
  }

  mutating func add(_ other: LevelDrawers) {
    for drawer in sums.indices where other.sums[drawer].count > 0 {
      sums[drawer].add(other.sums[drawer])
    }
  }

  /// The sum of the quietest drawers with at least `wanted` spectra together.
  func quietest(_ wanted: Int) -> Sum {
    var sum = Sum()
    for drawer in sums where drawer.count > 0 && sum.count < wanted { sum.add(drawer) }
    return sum
  }
}
