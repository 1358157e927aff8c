/// Measures how loud a whole sound is. Off the render thread.
package protocol LoudnessGauge: AnyObject {
  /// Takes the next frames: channels × frames.
  func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int)
  /// In LUFS; `-inf` for silence.
  var integrated: Double { get }
  /// The highest peak between samples; 1 is full scale.
  var truePeak: Double { get }
}
