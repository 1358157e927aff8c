/// A length in seconds, for messages.
func clockSeconds(_ frameCount: Int, _ sampleRate: Double) -> String {
  let hundredths = Int((Double(frameCount) / max(sampleRate, 1) * 100).rounded())
  let fraction = String(100 + hundredths % 100).dropFirst()
  return "\(hundredths / 100).\(fraction) s"
}
