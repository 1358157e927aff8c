package import FxAudio

/// The built-in units, one line each (or one line for all units of a kernel), in the order of
/// listings.
package enum BuiltInUnits {
  package static let all: [UnitType] =
    [
      UnitType(Gain.self),
      UnitType(Normalize.self),
      UnitType(LoudnessUnit.self),
      UnitType(Pan.self),
      UnitType(Width.self),
      UnitType(Mixer.self),
      UnitType(Downmix.self),
      UnitType(Meter.self),
      UnitType(Tuner.self),
      UnitType(Spectrum.self),
    ]
    + PassFilter.specs.map { UnitType(PassFilter.self, spec: $0) }
    + GainFilter.specs.map { UnitType(GainFilter.self, spec: $0) }
    + [
      UnitType(DCBlock.self),
      UnitType(Equalizer.self),
      UnitType(BiquadUnit.self),
      UnitType(Compressor.self),
      UnitType(Limiter.self),
      UnitType(Gate.self),
      UnitType(Multiband.self),
      UnitType(Denoise.self),
      UnitType(SpeechDenoise.self),
      UnitType(EchoCancel.self),
      UnitType(Expander.self),
      UnitType(DeEsser.self),
      UnitType(Transient.self),
      UnitType(DynamicEqualizer.self),
      UnitType(Delay.self),
      UnitType(Reverb.self),
      UnitType(Convolver.self),
      UnitType(Saturator.self),
      UnitType(Clipper.self),
      UnitType(Amp.self),
      UnitType(NeuralAmp.self),
      UnitType(Cabinet.self),
      UnitType(Exciter.self),
      UnitType(Bitcrusher.self),
      UnitType(Tape.self),
      UnitType(Vinyl.self),
      UnitType(Looper.self),
      UnitType(Tremolo.self),
      UnitType(AutoPan.self),
    ]
    + Chorus.specs.map { UnitType(Chorus.self, spec: $0) }
    + [
      UnitType(Flanger.self),
      UnitType(Phaser.self),
      UnitType(RingModulator.self),
      UnitType(FrequencyShifter.self),
      UnitType(Rotary.self),
      UnitType(AutoWah.self),
      UnitType(Pitch.self),
      UnitType(Spatial.self),
      UnitType(Binaural.self),
      UnitType(Crossfeed.self),
      UnitType(Haas.self),
      UnitType(Matrix.self),
      UnitType(ChannelMap.self),
    ]
    + MidSide.specs.map { UnitType(MidSide.self, spec: $0) }
    + [
      UnitType(Crossfade.self),
      UnitType(Switch.self),
      UnitType(Align.self),
      UnitType(Crossover.self),
      UnitType(LinearCrossover.self),
      UnitType(Metronome.self),
      UnitType(LFO.self),
      UnitType(Envelope.self),
      UnitType(VoiceActivity.self),
      UnitType(Steps.self),
      UnitType(RandomValue.self),
      UnitType(Expression.self),
    ]

  /// Units with inputs that may sound in silence, because a parameter has changed.
  package static let soundingAlone: Set<String> = [Looper.spec.id]

  /// Earlier revisions of these units, one line each. Chains name them (`reverb@1`), and goldens
  /// made with them still pass.
  package static let earlier: [UnitType] = [
    UnitType(Downmix.self, spec: Downmix.first),
    UnitType(CubicDelay.self),
    UnitType(Reverb.self, spec: Reverb.third),
    UnitType(EightLineReverb.self),
    UnitType(Convolver.self, spec: Convolver.first),
    UnitType(FirstLimiter.self),
    UnitType(DecibelGate.self),
    UnitType(Saturator.self, spec: Saturator.first),
    UnitType(Clipper.self, spec: Clipper.first),
    UnitType(Denoise.self, spec: Denoise.first),
    UnitType(Amp.self, spec: Amp.first),
    UnitType(SingleWindowPitch.self),
  ]
}
