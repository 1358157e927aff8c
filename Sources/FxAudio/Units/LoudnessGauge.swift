/// Measures the loudness of a whole sound. Not on the render thread.
package protocol LoudnessGauge: AnyObject {
  /// Processes the next frames: channels × frames.
  func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int)
  /// In LUFS; `-inf` for silence.
  var integrated: Double { get }
  /// The highest true peak; 1 is full scale.
  var truePeak: Double { get }
  /// The blocks and the true peak so far, which can be added to those of other sounds.
  var measured: MeasuredLoudness { get }
}
