package import FxAudio
import FxDSP

/// Clicks on the beats of the chain's musical time, the first of a bar higher and louder.
///
/// A click is a sine of 1 ms attack that falls by 60 dB in 80 ms. It begins between two frames where
/// its beat does.
package struct Metronome: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "metronome", name: "Metronome",
    summary: "Clicks on the beats of the musical time, the first of a bar higher and louder.",
    category: "generator",
    parameters: [
      .gain("level", "The level of a click.", -(.infinity)...0, default: -18),
      .gain("accent", "How much louder the first of a bar is.", 0...18, default: 6),
      .frequency(
        "frequency", "Of a click; the first of a bar lies half an octave higher.", 200...6000,
        default: 1000),
    ],
    options: [
      OptionSpec(
        "perBeat", "Clicks a beat; those between two beats are softer by 9 dB.",
        .integer(1...8), default: .number(1))
    ],
    inputs: [], outputs: [OutputBusSpec("out", width: .exactly(1))],
    presets: [
      UnitPreset(
        "drummer", "Loud, and high enough to be heard beside drums.",
        ["level": -6, "accent": 6, "frequency": 2500]),
      UnitPreset("quiet", "For a recording with an open microphone.", ["level": -30, "accent": 4]),
    ])

  package struct Parameters: BitwiseCopyable {
    let level: ParameterSignal
    let accent: ParameterSignal
    let frequency: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Metronome.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Metronome.self)?.pointee.reset() })

  private enum Kind { case bar, beat, between }

  private let sampleRate: Double
  private let clicksPerBeat: Double
  private var stretch: MusicalStretch?
  /// The click that sounds: its number, its age in seconds, and its phase in turns.
  private var number = Int.min
  private var age = 0.0
  private var turns = 0.0
  private var kind = Kind.beat

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    clicksPerBeat = preparation.number("perBeat") ?? 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(tail: .frames(Int(0.15 * preparation.sampleRate)))
  }

  // MARK: - Realtime

  /// Seconds of the attack, and those in which a click falls by 1/e.
  private static var attack: Double { @_noLocks get { 0.001 } }
  private static var decay: Double { @_noLocks get { 0.08 / 6.907_755_278_982_137 } }

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    let output = block.outputs[0]
    stretch = nil
    for frame in 0..<block.frameCount {
      let now = musical(block, block.frame &+ frame)
      guard now.span.isRolling else {
        output[frame] = 0
        number = Int.min
        continue
      }
      let hertz = Double(parameters.frequency[frame])
      advance(to: block.frame &+ frame, in: now, hertz)
      output[frame] = Float(
        sample(Double(parameters.level[frame]), Double(parameters.accent[frame])))
    }
  }

  @_noLocks
  private mutating func musical(_ block: RenderBlock, _ frame: Int) -> MusicalStretch {
    if let stretch, frame < stretch.end { return stretch }
    let found = block.time.stretch(at: frame)
    stretch = found
    return found
  }

  /// Goes on by a frame, or begins a click.
  @_noLocks
  private mutating func advance(to frame: Int, in time: MusicalStretch, _ hertz: Double) {
    let place = time.span.place(ofBeat: time.beat(at: frame))
    let clicks = place.beat * clicksPerBeat
    // What a rounding puts before its beat.
    var whole = Int(clicks + 1e-9)
    let perBar = time.span.metre.beatsPerBar &* Int(clicksPerBeat)
    var bar = place.bar
    if whole >= perBar {
      whole = 0
      bar &+= 1
    }
    let found = bar &* perBar &+ whole
    if found != number {
      let passed = clicks - Double(Int(clicks + 1e-9))
      number = found
      age = (passed > 0 ? passed : 0) * 60 / (time.tempo(at: frame) * clicksPerBeat)
      kind = whole == 0 ? .bar : whole % Int(clicksPerBeat) == 0 ? .beat : .between
      turns = age * pitch(hertz)
    } else {
      age += 1 / sampleRate
      turns += pitch(hertz) / sampleRate
    }
  }

  @_noLocks
  private func pitch(_ hertz: Double) -> Double {
    let pitch = kind == .bar ? hertz * 1.414_213_562_373_095_1 : hertz
    let highest = 0.45 * sampleRate
    return pitch < highest ? pitch : highest
  }

  @_noLocks
  private func sample(_ level: Double, _ accent: Double) -> Double {
    guard age < 0.15 else { return 0 }
    let rise = age < Self.attack ? SmoothStep.share(age / Self.attack) : 1
    let height: Double =
      switch kind {
      case .bar: level * accent
      case .beat: level
      case .between: level * 0.354_813_389_233_575_5
      }
    return height * rise * Math.exp(-age / Self.decay) * Math.sin(2 * Double.pi * turns)
  }

  @_noLocks
  package mutating func reset() {
    number = Int.min
    age = 0
    turns = 0
  }
}
