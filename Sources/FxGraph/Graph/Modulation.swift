import FxAudio

/// A control signal that moves a parameter of a node.
///
/// The parameter's value is `(base · 2^Σ ratios + Σ offsets)`, within its range: base is what the
/// chain, its automation or a command says, and each term is the signal, brought to its share, times
/// the depth. Depths are parameters of the node themselves.
package struct Modulation: Sendable, Equatable {
  /// How a share moves a value.
  package enum Scale: Sendable, Hashable {
    /// By so many of the parameter's own units of measure.
    case linear
    /// By so many octaves.
    case octaves
    /// By so many decibels, of a level that is delivered as an amplitude.
    case decibels
  }

  /// The way from the signal's share to the term's.
  package enum Curve: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case linear
    /// Slow at first, fast at the end.
    case square
    /// Fast at first, slow at the end.
    case root
    /// Slow at both ends.
    case smooth
  }

  /// The parameter that it moves, as an index into `UnitConfiguration.parameters`.
  package var slot: Int
  /// The parameter that has its depth.
  package var depthSlot: Int
  package var scale: Scale
  package var curve: Curve
  /// The values of the signal that stand for the ends of its share.
  package var range: ClosedRange<Double>
  /// The share goes from -1 to 1 rather than from 0 to 1.
  package var isBipolar: Bool

  package init(
    slot: Int, depthSlot: Int, scale: Scale, curve: Curve = .linear,
    range: ClosedRange<Double>, isBipolar: Bool
  ) {
    self.slot = slot
    self.depthSlot = depthSlot
    self.scale = scale
    self.curve = curve
    self.range = range
    self.isBipolar = isBipolar
  }
}

extension UnitConfiguration {
  /// True when a control signal moves the parameter in a slot.
  package func isModulated(_ slot: Int) -> Bool { modulations.contains { $0.slot == slot } }
}

extension UnitConfiguration {
  /// Values of the unit with every parameter that a control signal moves at an end of its way: all at
  /// the upper end, all at the lower one, and each alone.
  ///
  /// - Parameter values: What the node's parameters are set to, depths included.
  package func modulatedEnds(of values: [Double]) -> [[Double]] {
    let own = Array(values.prefix(slots.ofUnit.count))
    var ends: [(slot: Int, low: Double, high: Double)] = []
    for slot in Set(modulations.map(\.slot)).sorted() where own.indices.contains(slot) {
      var octaves = 0.0
      var offset = 0.0
      for modulation in modulations where modulation.slot == slot {
        guard values.indices.contains(modulation.depthSlot) else { continue }
        let depth = abs(values[modulation.depthSlot])
        if modulation.scale == .octaves { octaves += depth } else { offset += depth }
      }
      let range = parameters[slot].spec.range
      let ratio = Double(Math.exp2(Float(octaves)))
      let high = min(own[slot] * ratio + offset, range.upperBound)
      let low = max(own[slot] / ratio - offset, range.lowerBound)
      ends.append((slot, low, high))
    }
    guard !ends.isEmpty else { return [] }
    func moved(_ change: (inout [Double]) -> Void) -> [Double] {
      var values = own
      change(&values)
      return values
    }
    return [
      moved { values in for end in ends { values[end.slot] = end.high } },
      moved { values in for end in ends { values[end.slot] = end.low } },
    ] + ends.map { end in moved { $0[end.slot] = end.high } }
      + ends.map { end in moved { $0[end.slot] = end.low } }
  }
}

extension ParameterSpec {
  /// The scale in which control signals move it unless the depth says otherwise.
  package var modulationScale: Modulation.Scale {
    if delivery == .amplitude { return .decibels }
    return measure == .hertz && range.lowerBound > 0 ? .octaves : .linear
  }
}
