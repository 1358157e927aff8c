import FxAudio

/// A control signal that moves a parameter of a node.
///
/// The parameter's value is `(base · 2^Σ ratios + Σ offsets)`, limited to its range. The base comes
/// from the chain, its automation or a command. Each term is the depth times the signal, scaled to
/// its share. Depths are parameters of the node too.
package struct Modulation: Sendable, Equatable {
  /// How a share changes the value.
  package enum Scale: Sendable, Hashable {
    /// The depth is in the parameter's own unit of measure.
    case linear
    /// The depth is in octaves.
    case octaves
    /// The depth is in decibels, for a level that is delivered as an amplitude.
    case decibels
  }

  /// The curve from the signal's share to the term's share.
  package enum Curve: String, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case linear
    /// Slow at first, fast at the end.
    case square
    /// Fast at first, slow at the end.
    case root
    /// Slow at both ends.
    case smooth
  }

  /// The modulated parameter, as an index into `UnitConfiguration.parameters`.
  package var slot: Int
  /// The parameter that holds the depth.
  package var depthSlot: Int
  package var scale: Scale
  package var curve: Curve
  /// The signal values at the ends of the share.
  package var range: ClosedRange<Double>
  /// The share goes from -1 to 1 instead of from 0 to 1.
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
  /// Values of the unit with modulated parameters as far as control signals can move them: all at
  /// the upper end, all at the lower end, and each one alone at either end.
  ///
  /// - Parameter values: The values of the node's parameters, including depths.
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
  /// The default scale of modulations of this parameter.
  package var modulationScale: Modulation.Scale {
    if delivery == .amplitude { return .decibels }
    return measure == .hertz && range.lowerBound > 0 ? .octaves : .linear
  }
}
