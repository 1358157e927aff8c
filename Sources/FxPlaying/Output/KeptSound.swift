import FxAudio

extension Failure {
  /// The same error of a source, with the files that keep the sound from before it.
  ///
  /// - Parameter frameCount: the frames of that sound.
  func keeping(_ partials: [String], frameCount: Int, sampleRate: Double) -> Failure {
    guard !partials.isEmpty else { return self }
    var error = Failure(
      code, path,
      "\(message); the sound until then (\(clockTime(frameCount, sampleRate: sampleRate))) is in "
        + partials.joined(separator: " and "))
    error.absence = absence
    error.partials = partials
    return error
  }
}
