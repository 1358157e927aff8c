// Generated from the declaration in fxrun: `FXRUN_RECORD=1 swift test --filter NodeSourceTests`.
import Foundation
import FxKit

/// Every unit with a value for each of its arguments.
enum EveryUnit {
  static let all: [@Sendable () -> any ChainNode] = [
    { gainNode() },
    { normalizeNode() },
    { loudnessNode() },
    { panNode() },
    { widthNode() },
    { mixerNode() },
    { downmixNode() },
    { meterNode() },
    { tunerNode() },
    { spectrumNode() },
    { highPassNode() },
    { lowPassNode() },
    { bandPassNode() },
    { notchNode() },
    { allPassNode() },
    { peakNode() },
    { lowShelfNode() },
    { highShelfNode() },
    { dcBlockNode() },
    { equalizerNode() },
    { biquadNode() },
    { compressorNode() },
    { limiterNode() },
    { gateNode() },
    { multibandNode() },
    { denoiseNode() },
    { speechDenoiseNode() },
    { echoCancelNode() },
    { expanderNode() },
    { deEsserNode() },
    { transientNode() },
    { dynamicEqualizerNode() },
    { delayNode() },
    { reverbNode() },
    { convolverNode() },
    { saturatorNode() },
    { clipperNode() },
    { ampNode() },
    { neuralAmpNode() },
    { cabinetNode() },
    { exciterNode() },
    { bitcrusherNode() },
    { tapeNode() },
    { vinylNode() },
    { looperNode() },
    { tremoloNode() },
    { autoPanNode() },
    { chorusNode() },
    { vibratoNode() },
    { flangerNode() },
    { phaserNode() },
    { ringModulatorNode() },
    { frequencyShifterNode() },
    { rotaryNode() },
    { autoWahNode() },
    { pitchNode() },
    { spatialNode() },
    { binauralNode() },
    { crossfeedNode() },
    { haasNode() },
    { matrixNode() },
    { channelMapNode() },
    { midSideEncodeNode() },
    { midSideDecodeNode() },
    { crossfadeNode() },
    { switchNode() },
    { alignNode() },
    { crossoverNode() },
    { linearCrossoverNode() },
    { metronomeNode() },
    { lfoNode() },
    { envelopeNode() },
    { voiceActivityNode() },
    { stepsNode() },
    { randomNode() },
    { expressionNode() },
  ]

  private static func gainNode() -> any ChainNode {
    Gain(
      id: "x",
      gain: -6,
      invert: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func normalizeNode() -> any ChainNode {
    Normalize(
      id: "x",
      level: -18,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func loudnessNode() -> any ChainNode {
    Loudness(
      id: "x",
      preset: .podcast,
      target: -30,
      ceiling: -12,
      boost: 20,
      limit: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func panNode() -> any ChainNode {
    Pan(
      id: "x",
      pan: 0,
      law: .linear,
      stereo: .pan,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func widthNode() -> any ChainNode {
    Width(
      id: "x",
      preset: .monoBass,
      width: 1,
      monoBelow: 255,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func mixerNode() -> any ChainNode {
    Mixer(
      id: "x",
      gain: -6,
      channels: 2,
      strips: [
        .init(
          "one",
          gain: -6,
          pan: 0,
          mute: true,
          solo: true
        )
      ]
    )
  }

  private static func downmixNode() -> any ChainNode {
    Downmix(
      id: "x",
      channels: 2,
      lfe: .boost,
      normalize: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func meterNode() -> any ChainNode {
    Meter(
      id: "x",
      loudness: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func tunerNode() -> any ChainNode {
    Tuner(
      id: "x",
      reference: 440,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func spectrumNode() -> any ChainNode {
    Spectrum(
      id: "x",
      wet: .percent(50),
      bypass: false
    )
  }

  private static func highPassNode() -> any ChainNode {
    HighPass(
      id: "x",
      frequency: 505,
      q: 20.05,
      order: 2,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func lowPassNode() -> any ChainNode {
    LowPass(
      id: "x",
      frequency: 505,
      q: 20.05,
      order: 2,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func bandPassNode() -> any ChainNode {
    BandPass(
      id: "x",
      frequency: 505,
      q: 20.05,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func notchNode() -> any ChainNode {
    Notch(
      id: "x",
      frequency: 505,
      q: 20.05,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func allPassNode() -> any ChainNode {
    AllPass(
      id: "x",
      frequency: 505,
      q: 20.05,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func peakNode() -> any ChainNode {
    Peak(
      id: "x",
      frequency: 505,
      gain: 0,
      q: 20.05,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func lowShelfNode() -> any ChainNode {
    LowShelf(
      id: "x",
      frequency: 505,
      gain: 0,
      q: 20.05,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func highShelfNode() -> any ChainNode {
    HighShelf(
      id: "x",
      frequency: 505,
      gain: 0,
      q: 20.05,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func dcBlockNode() -> any ChainNode {
    DCBlock(
      id: "x",
      frequency: 50.25,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func equalizerNode() -> any ChainNode {
    Equalizer(
      id: "x",
      preset: .telephone,
      gain: 0,
      response: .analog,
      curve: "text",
      curveLength: .long,
      file: "text",
      wet: .percent(50),
      bypass: false,
      bands: [
        .init(
          id: "one",
          type: .level,
          order: 2,
          channels: "text",
          frequency: 505,
          gain: 0,
          q: 20.05,
          enabled: false
        )
      ]
    )
  }

  private static func biquadNode() -> any ChainNode {
    Biquad(
      id: "x",
      rate: 500,
      wet: .percent(50),
      bypass: false,
      sections: [
        .init(
          id: "one",
          b: "text",
          a: "text"
        )
      ]
    )
  }

  private static func compressorNode() -> any ChainNode {
    Compressor(
      id: "x",
      preset: .voice,
      threshold: -30,
      ratio: 50.5,
      knee: 12,
      attack: 0.5,
      release: 2.503,
      makeup: 6,
      range: 50,
      keyHighPass: 505,
      keyLowPass: 550,
      detector: .rms,
      rmsTime: 0.5,
      autoRelease: true,
      lookahead: 0.01,
      link: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func limiterNode() -> any ChainNode {
    Limiter(
      id: "x",
      preset: .safety,
      ceiling: -12,
      release: 1.001,
      gain: 18,
      lookahead: 0.01,
      truePeak: true,
      link: 0.5,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func gateNode() -> any ChainNode {
    Gate(
      id: "x",
      preset: .voice,
      threshold: -30,
      hysteresis: 12,
      range: 48,
      attack: 0.25,
      hold: 1,
      release: 2.503,
      keyHighPass: 505,
      keyLowPass: 550,
      lookahead: 0.01,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func multibandNode() -> any ChainNode {
    Multiband(
      id: "x",
      gain: 0,
      order: 3,
      wet: .percent(50),
      bypass: false,
      bands: [
        .init(
          id: "one",
          upTo: 505,
          threshold: -30,
          ratio: 50.5,
          knee: 12,
          attack: 0.5,
          release: 2.503,
          makeup: 6,
          mute: true
        )
      ]
    )
  }

  private static func denoiseNode() -> any ChainNode {
    Denoise(
      id: "x",
      preset: .gentle,
      reduction: 24,
      bias: 0,
      learn: .always,
      from: 500,
      to: 500,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func speechDenoiseNode() -> any ChainNode {
    SpeechDenoise(
      id: "x",
      reduction: 30,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func echoCancelNode() -> any ChainNode {
    EchoCancel(
      id: "x",
      preset: .speakerphone,
      suppression: 30,
      speechSuppression: 30,
      tail: 0.51,
      delay: 1,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func expanderNode() -> any ChainNode {
    Expander(
      id: "x",
      preset: .voice,
      threshold: -30,
      ratio: 10.5,
      knee: 12,
      range: 48,
      attack: 0.25,
      hold: 1,
      release: 2.503,
      keyHighPass: 505,
      keyLowPass: 550,
      lookahead: 0.01,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func deEsserNode() -> any ChainNode {
    DeEsser(
      id: "x",
      preset: .voice,
      frequency: 1000,
      threshold: -30,
      ratio: 50.5,
      range: 24,
      attack: 0.05,
      release: 0.502,
      listen: true,
      mode: .wide,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func transientNode() -> any ChainNode {
    Transient(
      id: "x",
      preset: .punch,
      attack: 0,
      sustain: 0,
      attackTime: 0.101,
      sustainTime: 1.51,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func dynamicEqualizerNode() -> any ChainNode {
    DynamicEqualizer(
      id: "x",
      wet: .percent(50),
      bypass: false,
      bands: [
        .init(
          id: "one",
          type: .highShelf,
          frequency: 505,
          gain: 0,
          q: 20.05,
          threshold: -30,
          ratio: 50.5,
          range: 0,
          attack: 0.5,
          release: 2.503,
          enabled: false
        )
      ]
    )
  }

  private static func delayNode() -> any ChainNode {
    Delay(
      id: "x",
      preset: .slapback,
      time: 2.501,
      feedback: 0.49,
      highCut: 600,
      lowCut: 505,
      rightTime: 2.125,
      modulationRate: 5.025,
      modulationDepth: 0.005,
      pingPong: true,
      change: .crossfade,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func reverbNode() -> any ChainNode {
    Reverb(
      id: "x",
      preset: .room,
      decay: 10.05,
      preDelay: 0.125,
      damping: 750,
      lowCut: 505,
      width: 0.5,
      highDecay: 0.55,
      lowDecay: 1.375,
      crossover: 525,
      early: -24,
      diffusion: 0.5,
      modulation: 0.5,
      size: 1.1,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func convolverNode() -> any ChainNode {
    Convolver(
      id: "x",
      preset: .hesuvi,
      impulse: "text",
      gain: -18,
      channels: [1, 2],
      then: "text",
      trim: true,
      reverse: true,
      stretch: 5.05,
      normalize: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func saturatorNode() -> any ChainNode {
    Saturator(
      id: "x",
      preset: .warmth,
      drive: 24,
      level: -12,
      curve: .fold,
      oversampling: .eightfold,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func clipperNode() -> any ChainNode {
    Clipper(
      id: "x",
      threshold: -24,
      softness: 0.5,
      drive: 18,
      oversampling: .eightfold,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func ampNode() -> any ChainNode {
    Amp(
      id: "x",
      preset: .clean,
      drive: 30,
      bass: 5,
      middle: 5,
      treble: 5,
      power: 0,
      sag: 0.5,
      level: -12,
      voice: .british,
      oversampling: .eightfold,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func neuralAmpNode() -> any ChainNode {
    NeuralAmp(
      id: "x",
      model: "text",
      input: 0,
      output: -12,
      normalize: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func cabinetNode() -> any ChainNode {
    Cabinet(
      id: "x",
      level: -12,
      speaker: .four12,
      position: 0.5,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func exciterNode() -> any ChainNode {
    Exciter(
      id: "x",
      preset: .air,
      frequency: 750,
      drive: 18,
      amount: -27,
      harmonics: .odd,
      oversampling: .eightfold,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func bitcrusherNode() -> any ChainNode {
    Bitcrusher(
      id: "x",
      preset: .sampler,
      bits: 12.5,
      rate: 550,
      dither: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func tapeNode() -> any ChainNode {
    Tape(
      id: "x",
      preset: .studio,
      drive: 18,
      wow: 0.01,
      flutter: 0.005,
      hiss: -40,
      treble: 1000,
      level: -12,
      oversampling: .eightfold,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func vinylNode() -> any ChainNode {
    Vinyl(
      id: "x",
      preset: .playedOnce,
      wow: 0.01,
      flutter: 0.005,
      clicks: 250,
      clickLevel: -30,
      noise: -40,
      rumble: -40,
      treble: 1000,
      speed: .rpm78,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func looperNode() -> any ChainNode {
    Looper(
      id: "x",
      preset: .soundOnSound,
      pedal: true,
      record: true,
      play: true,
      overdub: true,
      stop: true,
      undo: true,
      clear: true,
      halfSpeed: true,
      reverse: true,
      beats: 128,
      feedback: 0.5,
      level: -18,
      through: -18,
      seconds: 300.5,
      afterRecording: .overdub,
      quantize: .bar,
      press: .change,
      hold: 5,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func tremoloNode() -> any ChainNode {
    Tremolo(
      id: "x",
      preset: .amp,
      rate: 100.001,
      period: 500,
      depth: 0.5,
      spread: 0.5,
      shape: .square,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func autoPanNode() -> any ChainNode {
    AutoPan(
      id: "x",
      preset: .wander,
      rate: 100.001,
      period: 500,
      depth: 0.5,
      shape: .square,
      law: .linear,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func chorusNode() -> any ChainNode {
    Chorus(
      id: "x",
      preset: .ensemble,
      rate: 100.001,
      period: 500,
      depth: 0.005,
      time: 0.026,
      spread: 0.5,
      shape: .square,
      voices: 2,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func vibratoNode() -> any ChainNode {
    Vibrato(
      id: "x",
      preset: .singer,
      rate: 100.001,
      period: 500,
      depth: 0.005,
      time: 0.026,
      spread: 0.5,
      shape: .square,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func flangerNode() -> any ChainNode {
    Flanger(
      id: "x",
      preset: .jet,
      rate: 100.001,
      period: 500,
      depth: 0.003,
      time: 0.005,
      feedback: 0,
      spread: 0.5,
      shape: .square,
      throughZero: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func phaserNode() -> any ChainNode {
    Phaser(
      id: "x",
      preset: .slow,
      rate: 100.001,
      period: 500,
      frequency: 525,
      depth: 2,
      feedback: 0,
      spread: 0.5,
      shape: .square,
      stages: 3,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func ringModulatorNode() -> any ChainNode {
    RingModulator(
      id: "x",
      preset: .robot,
      frequency: 500.5,
      spread: 0.5,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func frequencyShifterNode() -> any ChainNode {
    FrequencyShifter(
      id: "x",
      preset: .wide,
      shift: 470,
      apart: true,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func rotaryNode() -> any ChainNode {
    Rotary(
      id: "x",
      preset: .chorale,
      fast: true,
      slowRate: 1.5,
      fastRate: 6,
      ramp: 5.025,
      distance: 1.65,
      drum: -6,
      angle: 90,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func autoWahNode() -> any ChainNode {
    AutoWah(
      id: "x",
      preset: .bass,
      frequency: 525,
      range: 0,
      threshold: -30,
      q: 10.25,
      attack: 0.25,
      release: 1.003,
      filter: .low,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func pitchNode() -> any ChainNode {
    Pitch(
      id: "x",
      preset: .octaveDown,
      shift: 0,
      cents: 20,
      formantShift: 0,
      formants: .keep,
      quality: .live,
      window: .long,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func spatialNode() -> any ChainNode {
    Spatial(
      id: "x",
      preset: .leftLoudspeaker,
      azimuth: 470,
      elevation: 15,
      distance: 500.05,
      method: .power,
      hrtf: "text",
      doppler: true,
      farthest: 500.5,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func binauralNode() -> any ChainNode {
    Binaural(
      id: "x",
      gain: -12,
      lfe: -24,
      hrtf: "text",
      wet: .percent(50),
      bypass: false
    )
  }

  private static func crossfeedNode() -> any ChainNode {
    Crossfeed(
      id: "x",
      preset: .bauer,
      frequency: 650,
      separation: 8,
      delay: 0.001,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func haasNode() -> any ChainNode {
    Haas(
      id: "x",
      preset: .guitar,
      time: 0.025,
      gain: -6,
      later: .right,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func matrixNode() -> any ChainNode {
    Matrix(
      id: "x",
      channels: 2,
      wet: .percent(50),
      bypass: false,
      routes: [
        .init(
          id: "one",
          from: 2,
          to: 2,
          gain: -6,
          invert: true
        )
      ]
    )
  }

  private static func channelMapNode() -> any ChainNode {
    ChannelMap(
      id: "x",
      to: .surround714,
      map: "text",
      wet: .percent(50),
      bypass: false
    )
  }

  private static func midSideEncodeNode() -> any ChainNode {
    MidSideEncode(
      id: "x",
      wet: .percent(50),
      bypass: false
    )
  }

  private static func midSideDecodeNode() -> any ChainNode {
    MidSideDecode(
      id: "x",
      wet: .percent(50),
      bypass: false
    )
  }

  private static func crossfadeNode() -> any ChainNode {
    Crossfade(
      id: "x",
      position: 0.5,
      law: .linear,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func switchNode() -> any ChainNode {
    Switch(
      id: "x",
      select: 16,
      fade: 5.001,
      channels: 2,
      choices: [
        .init(
          "one"
        )
      ]
    )
  }

  private static func alignNode() -> any ChainNode {
    Align(
      id: "x",
      time: 5,
      frames: 1,
      distance: 500,
      wet: .percent(50),
      bypass: false
    )
  }

  private static func crossoverNode() -> any ChainNode {
    Crossover(
      id: "x",
      order: 3,
      bands: [
        .init(
          id: "one",
          upTo: 505
        )
      ]
    )
  }

  private static func linearCrossoverNode() -> any ChainNode {
    LinearCrossover(
      id: "x",
      order: 3,
      bands: [
        .init(
          id: "one",
          upTo: 510
        )
      ]
    )
  }

  private static func metronomeNode() -> any ChainNode {
    Metronome(
      id: "x",
      preset: .drummer,
      level: -30,
      accent: 9,
      frequency: 600,
      perBeat: 2
    )
  }

  private static func lfoNode() -> any ChainNode {
    LFO(
      id: "x",
      rate: 100.001,
      period: 500,
      phase: 0.5,
      width: 0.5,
      shape: .smoothRandom
    )
  }

  private static func envelopeNode() -> any ChainNode {
    Envelope(
      id: "x",
      attack: 0.5,
      hold: 2.5,
      release: 5,
      gain: 0,
      detector: .rms,
      window: 1
    )
  }

  private static func voiceActivityNode() -> any ChainNode {
    VoiceActivity(
      id: "x",
      preset: .ducking,
      threshold: 0.5,
      hold: 2.5
    )
  }

  private static func stepsNode() -> any ChainNode {
    Steps(
      id: "x",
      rate: 100.001,
      period: 500,
      glide: 0.5,
      steps: [
        .init(
          id: "one",
          value: 0
        )
      ]
    )
  }

  private static func randomNode() -> any ChainNode {
    Random(
      id: "x",
      rate: 100.001,
      period: 500,
      smoothing: 0.5
    )
  }

  private static func expressionNode() -> any ChainNode {
    ExpressionUnit(
      id: "x",
      formula: "text",
      low: 470,
      high: 470
    )
  }
}
