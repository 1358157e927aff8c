package import FxAudio

/// The built-in units, one line each.
package enum BuiltInUnits {
  package static let all: [UnitType] = [
    UnitType(Gain.self),
    UnitType(Pan.self),
    UnitType(Width.self),
    UnitType(Mixer.self),
    UnitType(Downmix.self),
    UnitType(Meter.self),
    UnitType(HighPass.self),
    UnitType(LowPass.self),
    UnitType(BandPass.self),
    UnitType(Notch.self),
    UnitType(AllPass.self),
    UnitType(Peak.self),
    UnitType(LowShelf.self),
    UnitType(HighShelf.self),
    UnitType(DCBlock.self),
    UnitType(Equalizer.self),
    UnitType(Compressor.self),
    UnitType(Limiter.self),
    UnitType(Gate.self),
    UnitType(Delay.self),
    UnitType(Reverb.self),
  ]
}
