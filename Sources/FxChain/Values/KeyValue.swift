import FxAudio

extension KeySpec {
  /// A number of the document itself, within the key's shape.
  func number(_ raw: RawValue, context: ValueContext) throws(ValueProblem) -> Double {
    try parameter.value(raw, context: context)
  }

  /// The key as a parameter, so that a chain's own values are read like those of its units.
  private var parameter: ParameterSpec {
    switch shape {
    case .integer(let range):
      ParameterSpec(
        key, summary, .none, Double(range.lowerBound)...Double(range.upperBound),
        default: .nan, isInteger: true)
    case .quantity(let measure, let range):
      ParameterSpec(
        key, summary, measure, range, default: .nan, isInteger: measure == .frames)
    default:
      ParameterSpec(key, summary, .none, -(.infinity)...(.infinity), default: .nan)
    }
  }
}
