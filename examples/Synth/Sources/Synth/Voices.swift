import FxKit
import Glibc

/// Eight voices with a soft attack and a release: an instrument as a unit of one's own.
struct Voices: UnitKernel, ~Copyable {
  static let spec = UnitSpec(
    "voices", name: "Voices", summary: "Plays MIDI with eight voices of odd harmonics.",
    category: "instrument", role: .instrument,
    parameters: [
      ParameterSpec(
        "release", "How long a note rings after its end.", .seconds, 0.01...5, default: 0.4)
    ],
    inputs: [], outputs: [OutputBusSpec("out", width: .exactly(1))], takesMIDI: true)

  struct Parameters: BitwiseCopyable { let release: ParameterSignal }

  /// One note.
  private struct Voice: BitwiseCopyable {
    var note = -1
    var phase: Float = 0
    var step: Float = 0
    var peak: Float = 0
    var level: Float = 0
    var isHeld = false
  }

  private static let count = 8

  private let voices: UnsafeMutablePointer<Voice>
  /// Cycles a frame of each note.
  private let steps: UnsafeMutablePointer<Float>
  private let sampleRate: Float
  private var midi: MIDIInput
  /// The voice that the next note takes.
  private var next = 0

  init(_ preparation: Preparation) {
    sampleRate = Float(preparation.sampleRate)
    midi = MIDIInput(preparation)
    voices = .allocate(capacity: Self.count)
    voices.initialize(repeating: Voice(), count: Self.count)
    steps = .allocate(capacity: 128)
    for note in 0..<128 {
      let frequency = 440 * pow(2, Float(note - 69) / 12)
      (steps + note).initialize(to: min(frequency / Float(preparation.sampleRate), 0.45))
    }
  }

  deinit {
    voices.deallocate()
    steps.deallocate()
  }

  static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(
      tail: .frames(Int(10 * preparation.initial(0, of: spec) * preparation.sampleRate)),
      memory: 8192)
  }

  @_noLocks
  mutating func render(_ block: RenderBlock) {
    let release = block.parameterStorage.load(as: Parameters.self).release
    midi.begin(block)
    var start = 0
    while let event = midi.next() {
      play(block, start, event.frame, release)
      start = event.frame
      switch event.meaning {
      case .noteOn(let note, let velocity): begin(note, velocity)
      case .noteOff(let note, _): end(note)
      default: break
      }
    }
    play(block, start, block.frameCount, release)
  }

  @_noLocks
  private mutating func begin(_ note: Int, _ velocity: Int) {
    voices[next] = Voice(
      note: note, phase: 0, step: steps[note], peak: Float(velocity) / 127 * 0.2, level: 0,
      isHeld: true)
    next = (next + 1) & 7
  }

  @_noLocks
  private func end(_ note: Int) {
    for index in 0..<8 where voices[index].note == note { voices[index].isHeld = false }
  }

  @_noLocks
  private func play(_ block: RenderBlock, _ start: Int, _ end: Int, _ release: ParameterSignal) {
    let output = block.outputs[0]
    for frame in start..<end { output[frame] = 0 }
    for index in 0..<8 where voices[index].note >= 0 {
      var voice = voices[index]
      for frame in start..<end {
        let wanted = voice.isHeld ? voice.peak : 0
        let seconds = voice.isHeld ? 0.005 : release[frame]
        voice.level += (wanted - voice.level) / (seconds * sampleRate * 0.3 + 1)
        voice.phase += voice.step
        if voice.phase >= 1 { voice.phase -= 1 }
        output[frame] += voice.level * wave(voice.phase)
      }
      if !voice.isHeld, voice.level < 1e-5 { voice.note = -1 }
      voices[index] = voice
    }
  }

  /// Two parabolas: like a sine with a few odd harmonics.
  @_noLocks
  private func wave(_ phase: Float) -> Float {
    let x = 4 * (phase < 0.5 ? phase : phase - 0.5) - 1
    return phase < 0.5 ? 1 - x * x : x * x - 1
  }

  @_noLocks
  mutating func reset() {
    for index in 0..<8 { voices[index] = Voice() }
    next = 0
  }
}
