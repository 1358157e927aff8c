extension LV2Kernel {
  /// How a parameter reaches its control port.
  struct Parameter {
    let port: Int
    /// The port's value is the chain's value times this.
    let scale: Double
    let low: Float
    let high: Float
    /// The plugin's exact default, and the parameter's value that stands for it (NaN for none).
    let standard: Float
    let standardValue: Float
    let isWhole: Bool

    // MARK: - Realtime

    /// The port's value for a parameter's value, clamped to the port's range; `standard` is not
    /// clamped.
    @_noLocks
    func portValue(_ value: Float) -> Float {
      if value == standardValue || value != value { return standard }
      var scaled = Double(value)
      if scale != 1 { scaled = Parameter.sevenDigits(scaled * scale) }
      if isWhole, scaled > -1e9, scaled < 1e9 {
        scaled = Double(Int(scaled + (scaled < 0 ? -0.5 : 0.5)))
      }
      return scaled < Double(low) ? low : (scaled > Double(high) ? high : Float(scaled))
    }

    /// Rounds to seven significant digits: 33.3 % is stored as 0.333 and must reach the port as
    /// 33.3, as in other hosts, not one bit off.
    @_noLocks
    private static func sevenDigits(_ value: Double) -> Double {
      let size = value < 0 ? -value : value
      guard size > 1e-9, size < 1e9 else { return value }
      var decade = 1.0
      while size * decade < 1e6 { decade *= 10 }
      while size * decade >= 1e7 { decade /= 10 }
      let rounded = Double(Int(size * decade + 0.5)) / decade
      return value < 0 ? -rounded : rounded
    }
  }
}
