extension LV2Kernel {
  /// How a parameter reaches its control port.
  struct Parameter {
    let port: Int
    /// The port's value is the chain's times this.
    let scale: Double
    let low: Float
    let high: Float
    /// The plugin's default, exactly, and the parameter's value that stands for it (NaN for none).
    let standard: Float
    let standardValue: Float
    let isWhole: Bool

    // MARK: - Realtime

    /// The port's value for a parameter's: within its range, whatever comes.
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

    /// Rounds to seven significant digits: 33.3 % travels as 0.333 and is to arrive as the 33.3 that
    /// the port would have been given elsewhere, not as the number one bit beside it.
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
