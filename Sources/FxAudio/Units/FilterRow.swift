/// Divides units in a row that consist of filters only (see `UnitTraits.filterCount`) into shared
/// passes.
package enum FilterRow {
  /// The maximum number of filters in a pass, where each unit starts at an even index.
  package static let filtersPerPass = 12

  /// The number of units in each pass, in order. A pass has units with at most two filters each, or
  /// two units, where the second one may have more.
  ///
  /// - Parameter filterCounts: For each unit, 1 or more.
  package static func passes(_ filterCounts: [Int]) -> [Int] {
    var passes: [Int] = []
    var start = 0
    while start < filterCounts.count {
      let rest = filterCounts[start...]
      let small = rest.prefix(filtersPerPass / 2).prefix { $0 <= 2 }.count
      let isPair = small == 1 && rest.count > 1 && filterCounts[start + 1] <= filtersPerPass - 2
      passes.append(isPair ? 2 : max(1, small))
      start += passes[passes.count - 1]
    }
    return passes
  }
}

/// Filters of a unit whose coefficients are constant, for a call that runs them together with those
/// of other units: see `UnitEntry.join`.
package struct StillFilters: BitwiseCopyable {
  /// Rows as `fx_filter_pass` reads them.
  package let coefficients: UnsafePointer<Double>
  /// States by channel pair, `statesPerPair` numbers each.
  package let states: UnsafeMutablePointer<Double>
  package let count: Int
  package let channelCount: Int
  /// The instruction set to use.
  package let vectorLevel: Int32

  // MARK: - Realtime

  package static var statesPerPair: Int { @_noLocks get { 48 } }

  @_noLocks
  package init(
    coefficients: UnsafePointer<Double>, states: UnsafeMutablePointer<Double>, count: Int,
    channelCount: Int, vectorLevel: Int32
  ) {
    self.coefficients = coefficients
    self.states = states
    self.count = count
    self.channelCount = channelCount
    self.vectorLevel = vectorLevel
  }
}
