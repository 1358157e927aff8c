import FxAudio

/// Clicks on the beats of the chain's musical time. The first click of a bar is higher and louder.
///
/// A click is a sine with an attack of 1 ms that falls by 60 dB in 80 ms. It starts exactly at its
/// beat, also between two frames.
struct Metronome: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "metronome", name: "Metronome",
    summary: "Clicks on the beats of the musical time, the first of a bar higher and louder.",
    category: "generator",
    parameters: [
      .gain("level", "The level of a click.", -(.infinity)...0, default: -18),
      .gain("accent", "How much louder the first of a bar is.", 0...18, default: 6),
      .frequency(
        "frequency", "The pitch of a click; the first of a bar lies half an octave higher.",
        200...6000,
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

  /// The last click before a frame, and the elapsed share of the time to the next click.
  private struct Click: BitwiseCopyable {
    let number: Int
    let kind: Kind
    let passed: Double
  }

  private let sampleRate: Double
  private let clicksPerBeat: Double
  /// The sounding click: its number, its age in seconds, and its phase in cycles.
  private var number = Int.min
  private var age = 0.0
  private var turns = 0.0
  private var kind = Kind.beat

  package init(_ preparation: Preparation) {
    sampleRate = preparation.sampleRate
    clicksPerBeat = preparation.number("perBeat") ?? 1
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(tail: .frames(Int(length * preparation.sampleRate)))
  }

  // MARK: - Realtime

  /// The length of a click and of its attack, and the time to fall to 1/e, in seconds.
  private static var length: Double { @_noLocks get { 0.15 } }
  private static var attack: Double { @_noLocks get { 0.001 } }
  private static var decay: Double { @_noLocks get { 0.08 / 6.907_755_278_982_137 } }

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let parameters = block.parameterStorage.load(as: Parameters.self)
    var frame = 0
    while frame < block.frameCount {
      let time = block.time.stretch(at: block.frame &+ frame)
      let end = min(time.end, block.frame &+ block.frameCount) &- block.frame
      if time.span.isRolling {
        while frame < end {
          let click = click(at: block.frame &+ frame, in: time)
          let next =
            change(from: block.frame &+ frame, to: block.frame &+ end, in: time, of: click)
            &- block.frame
          if click.number != number {
            begin(click, tempo: time.tempo(at: block.frame &+ frame), parameters, at: frame)
            block.outputs[0][frame] = sample(parameters, at: frame)
            frame &+= 1
          }
          goOn(block, parameters, from: frame, to: next)
          frame = next
        }
      } else {
        for index in frame..<end { block.outputs[0][index] = 0 }
        number = Int.min
        frame = end
      }
    }
  }

  @_noLocks
  private func click(at frame: Int, in time: MusicalStretch) -> Click {
    let place = time.span.place(ofBeat: time.beat(at: frame))
    let clicks = place.beat * clicksPerBeat
    // Rounding may put a frame slightly before its beat.
    var whole = Int(clicks + 1e-9)
    let passed = clicks - Double(whole)
    let perBar = time.span.metre.beatsPerBar &* Int(clicksPerBeat)
    var bar = place.bar
    if whole >= perBar {
      whole = 0
      bar &+= 1
    }
    return Click(
      number: bar &* perBar &+ whole,
      kind: whole == 0 ? .bar : whole % Int(clicksPerBeat) == 0 ? .beat : .between,
      passed: passed > 0 ? passed : 0)
  }

  /// The first frame that belongs to a different click, or the end.
  @_noLocks
  private func change(
    from frame: Int, to end: Int, in time: MusicalStretch, of click: Click
  ) -> Int {
    var (same, other) = (frame, end)
    // Try the end first: in most blocks no click begins.
    var tried = end &- 1
    while same &+ 1 < other {
      if self.click(at: tried, in: time).number == click.number {
        same = tried
      } else {
        other = tried
      }
      tried = same &+ (other &- same) / 2
    }
    return other
  }

  @_noLocks
  private mutating func begin(
    _ click: Click, tempo: Double, _ parameters: Parameters, at frame: Int
  ) {
    number = click.number
    kind = click.kind
    age = click.passed * 60 / (tempo * clicksPerBeat)
    turns = age * pitch(Double(parameters.frequency[frame]))
  }

  /// Renders the rest of the click, then silence.
  @_noLocks
  private mutating func goOn(
    _ block: RenderBlock, _ parameters: Parameters, from start: Int, to end: Int
  ) {
    let output = block.outputs[0]
    var frame = start
    while frame < end, age < Self.length {
      age += 1 / sampleRate
      turns += pitch(Double(parameters.frequency[frame])) / sampleRate
      output[frame] = sample(parameters, at: frame)
      frame &+= 1
    }
    for index in frame..<end { output[index] = 0 }
  }

  @_noLocks
  private func pitch(_ hertz: Double) -> Double {
    let pitch = kind == .bar ? hertz * 1.414_213_562_373_095_1 : hertz
    let highest = 0.45 * sampleRate
    return pitch < highest ? pitch : highest
  }

  @_noLocks
  private func sample(_ parameters: Parameters, at frame: Int) -> Float {
    guard age < Self.length else { return 0 }
    let level = Double(parameters.level[frame])
    let rise = age < Self.attack ? SmoothStep.share(age / Self.attack) : 1
    let height: Double =
      switch kind {
      case .bar: level * Double(parameters.accent[frame])
      case .beat: level
      case .between: level * 0.354_813_389_233_575_5
      }
    return Float(
      height * rise * Math.exp(-age / Self.decay) * Math.sin(2 * Double.pi * turns))
  }

  @_noLocks
  package mutating func reset() {
    number = Int.min
    age = 0
    turns = 0
  }
}
