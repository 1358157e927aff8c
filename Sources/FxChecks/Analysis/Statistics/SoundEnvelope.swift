import FxAudio

/// The lowest and highest sample and the RMS of equal parts of a sound of any length, all channels
/// together, in constant memory: when there are too many parts, two become one.
package struct SoundEnvelope: Sendable {
  package struct Point: Sendable, Equatable {
    package var low = Float.infinity
    package var high = -Float.infinity
    /// The sum of the mean squares of frames.
    fileprivate var energy = 0.0
    fileprivate var frameCount = 0

    /// The RMS amplitude.
    package var rms: Float {
      Float(Math.squareRoot(energy / Double(max(frameCount, 1))))
    }

    fileprivate mutating func add(_ other: Point) {
      low = min(low, other.low)
      high = max(high, other.high)
      energy += other.energy
      frameCount += other.frameCount
    }
  }

  /// There are at least half as many parts in a long sound.
  package static let mostPoints = 2048

  /// The frames of each part.
  package private(set) var framesPerPoint = 16
  private var complete: [Point] = []
  private var current = Point()

  /// - Parameter energy: The mean square of the channels.
  mutating func add(low: Float, high: Float, energy: Double) {
    current.low = min(current.low, low)
    current.high = max(current.high, high)
    current.energy += energy
    current.frameCount += 1
    guard current.frameCount == framesPerPoint else { return }
    complete.append(current)
    current = Point()
    guard complete.count == Self.mostPoints else { return }
    for index in 0..<Self.mostPoints / 2 {
      var point = complete[2 * index]
      point.add(complete[2 * index + 1])
      complete[index] = point
    }
    complete.removeLast(Self.mostPoints / 2)
    framesPerPoint *= 2
  }

  /// All parts; the last one may be shorter. One without a finite sample has a `low` above its
  /// `high`.
  package var points: [Point] { current.frameCount > 0 ? complete + [current] : complete }
}
