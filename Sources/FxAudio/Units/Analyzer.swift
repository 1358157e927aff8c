/// Measures a whole sound for a node that needs the result before it renders. A pass before the
/// render feeds it the node's input. Not on the render thread.
public protocol Analyzer: AnyObject {
  /// Processes the next frames, full scale 1.
  func take(_ channels: UnsafePointer<UnsafePointer<Float>>, frameCount: Int)
  /// The measurements so far; the unit that made the analyzer knows their order.
  var result: [Double] { get }
  /// True when the analyzer needs the whole sound once more.
  var needsAnotherPass: Bool { get }
  /// The sound starts again. Called before each pass except the first.
  func beginPass()
}

extension Analyzer {
  public var needsAnotherPass: Bool { false }
  public func beginPass() {}
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

  /// The factor that brings a peak to a level in decibels; 1 for silence. Subnormal samples, which
  /// the render thread flushes to zero, are silence.
  package static func factor(for result: [Double], decibels: Double) -> Double {
    guard let peak = result.first, peak >= Double(Float.leastNormalMagnitude) else { return 1 }
    return Math.amplitude(decibels: decibels) / peak
  }
}
