import FxAudio

/// Detects the note and its deviation in pitch, and passes the signal through.
struct Tuner: ~Copyable, UnitKernel {
  package static let spec = UnitSpec(
    "tuner", name: "Tuner",
    summary: "Says which note is played and how far from it, and passes the signal through.",
    category: "measurement", role: .observer,
    parameters: [
      ParameterSpec(
        "reference", "The frequency of the A above middle C.", .hertz, 400...480, default: 440)
    ],
    readings: [
      ReadingSpec("frequency", "The pitch; 0 where there is none.", .hertz),
      ReadingSpec(
        "note", "The nearest note as MIDI counts them: 69 is the A above middle C.", .none),
      ReadingSpec(
        "cents", "How far the pitch is above that note, in hundredths of a semitone.", .none),
      ReadingSpec("clarity", "How much the sound repeats itself: 1 for a steady tone.", .ratio),
    ])

  package struct Parameters: BitwiseCopyable {
    let reference: ParameterSignal
  }

  package static let entry = UnitEntry(
    render: { $0.kernel(Tuner.self)?.pointee.render(RenderBlock(at: $1)) },
    reset: { $0.kernel(Tuner.self)?.pointee.reset() })

  private let channelCount: Int
  private let readings: ReadingBoard
  private var detector: PitchDetector

  package init(_ preparation: Preparation) {
    channelCount = preparation.channelCount
    readings = preparation.readings
    detector = PitchDetector(sampleRate: preparation.sampleRate)
  }

  package static func traits(_ preparation: Preparation) -> UnitTraits {
    UnitTraits(memory: PitchDetector.byteCount(sampleRate: preparation.sampleRate))
  }

  // MARK: - Realtime

  @_noLocks
  package mutating func render(_ block: RenderBlock) {
    let reference = block.parameterStorage.load(as: Parameters.self).reference
    let share = 1 / Float(max(channelCount, 1))
    for frame in 0..<block.frameCount {
      var sum: Float = 0
      for channel in 0..<channelCount { sum += block.inputs[channel][frame] }
      if detector.take(share * sum) { publish(reference[frame]) }
    }
    for channel in 0..<channelCount {
      let (input, output) = (block.inputs[channel], block.outputs[channel])
      if input == UnsafePointer(output) { continue }
      for frame in 0..<block.frameCount { output[frame] = input[frame] }
    }
  }

  @_noLocks
  private func publish(_ reference: Float) {
    readings[0] = Float(detector.frequency)
    readings[3] = Float(detector.clarity)
    guard detector.frequency > 0 else { return }
    let place = 69 + 12 * Math.log2(detector.frequency / Double(reference))
    let note = Double(Int(place + 0.5))
    readings[1] = Float(note)
    readings[2] = Float(100 * (place - note))
  }

  @_noLocks
  package mutating func reset() {
    detector.clear()
    for index in 0..<4 { readings[index] = 0 }
  }
}
