extension JSONOutput {
  /// A number, or a text for values that JSON has no number for.
  package static func level(_ value: Double) -> JSONOutput {
    if value.isFinite { return .number(value) }
    return .string(value.isNaN ? "nan" : value < 0 ? "-inf" : "inf")
  }

  /// With the precision of a float.
  package static func level(_ value: Float) -> JSONOutput {
    level(value.isFinite ? Double(value.description) ?? Double(value) : Double(value))
  }
}
