/// The time of a frame in minutes, seconds and milliseconds: `0:12.345`.
package func clockTime(_ frame: Int, sampleRate: Double) -> String {
  guard sampleRate > 0, frame > 0 else { return "0:00.000" }
  let exact = (Double(frame) / sampleRate * 1000).rounded(.down)
  guard exact < 1e15 else { return "?" }
  let milliseconds = Int(exact)
  func padded(_ value: Int, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
  let seconds = milliseconds / 1000
  return "\(seconds / 60):\(padded(seconds % 60, 2)).\(padded(milliseconds % 1000, 3))"
}
