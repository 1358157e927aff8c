package import FxAudio

/// The built-in units, one line each.
package enum BuiltInUnits {
  package static let all: [UnitType] = [
    UnitType(Gain.self),
    UnitType(Compressor.self),
    UnitType(Limiter.self),
    UnitType(Delay.self),
    UnitType(Reverb.self),
  ]
}
