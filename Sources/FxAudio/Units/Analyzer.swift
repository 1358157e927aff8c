/// Measures a whole sound for a node that has to know it before it renders: a pass before the render
/// feeds it what reaches the node. Not on the render thread.
package protocol Analyzer: AnyObject {
  /// Takes the next frames, full scale 1.
  func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int)
  /// What has been measured so far; who made the analyzer knows the order.
  var result: [Double] { get }
  /// It has to hear the whole sound once more.
  var needsAnotherPass: Bool { get }
  /// The sound begins anew. Called before each pass but the first.
  func beginPass()
}

extension Analyzer {
  package var needsAnotherPass: Bool { false }
  package func beginPass() {}
}

/// Finds the highest sample of all channels, as an amplitude.
package final class PeakAnalyzer: Analyzer {
  private let channelCount: Int
  private var peak: Float = 0

  package init(channelCount: Int) { self.channelCount = channelCount }

  package func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int) {
    for channel in 0..<channelCount {
      let samples = channels[channel]
      for frame in 0..<frameCount where abs(samples[frame]) > peak && samples[frame].isFinite {
        peak = abs(samples[frame])
      }
    }
  }

  package var result: [Double] { [Double(peak)] }

  /// What brings a peak to a level in decibels, as a factor; 1 for silence.
  package static func factor(for result: [Double], decibels: Double) -> Double {
    guard let peak = result.first, peak > 0 else { return 1 }
    return Math.amplitude(decibels: decibels) / peak
  }
}
