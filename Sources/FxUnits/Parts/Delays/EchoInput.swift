import FxAudio

/// The input of the lines of a delay: the sound and the fed back echoes.
enum EchoInput {
  // MARK: - Realtime

  /// The sound for a channel's line: its own input; or, with ping-pong, the mean of all channels in
  /// the first line and silence in the others.
  @_noLocks
  static func mix(
    _ block: RenderBlock, _ channel: Int, of channelCount: Int, isPingPong: Bool,
    into written: UnsafeMutablePointer<Float>, from frame: Int, count: Int
  ) {
    guard isPingPong else {
      written.update(copying: block.inputs[channel] + frame, count: count)
      return
    }
    written.update(repeating: 0, count: count)
    guard channel == 0 else { return }
    let share = 1 / Float(channelCount)
    for source in 0..<channelCount {
      let input = block.inputs[source] + frame
      for index in 0..<count { written[index] += share * input[index] }
    }
  }

  /// Adds echoes to the sound, which loses samples that are not finite.
  @_noLocks
  static func add(
    _ echoes: UnsafeMutablePointer<Float>, times feedback: ParameterSignal,
    to written: UnsafeMutablePointer<Float>, from frame: Int, count: Int
  ) {
    if let samples = feedback.samples {
      for index in 0..<count {
        let feedback = samples[frame &+ index]
        written[index] = written[index].finiteSample + feedback * echoes[index]
      }
    } else {
      let feedback = feedback.value
      for index in 0..<count {
        written[index] = written[index].finiteSample + feedback * echoes[index]
      }
    }
  }
}
