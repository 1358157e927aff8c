/// How units in a row that are nothing but filters (see `UnitTraits.filterCount`) share passes.
package enum FilterRow {
  /// Filters of a pass at most, where each unit begins with an even one.
  package static let filtersPerPass = 12

  /// How many units each pass has, from the first one on. A pass has units of two filters at most, or
  /// two units of which the second one may have more.
  ///
  /// - Parameter filterCounts: Of each unit, 1 or more.
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

/// Filters of a unit that stand still, for a call that runs them together with others: see
/// `UnitEntry.join`.
package struct StillFilters: BitwiseCopyable {
  /// Rows as `fx_filter_pass` reads them.
  package let coefficients: UnsafePointer<Double>
  /// The same by channel pair, `statesPerPair` numbers each.
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
