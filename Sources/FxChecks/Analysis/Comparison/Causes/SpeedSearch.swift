import FxAudio

/// Checks whether the actual sound is the expected one at a different speed, by comparing stretches
/// of both.
struct SpeedSearch {
  private let expected: [Float]
  private let actual: [Float]
  /// The growth of the lag per frame, and the lag at frame 0.
  private(set) var slope: Double
  private var start: Double

  private static let stretchCount = 10
  private static let stretchFrameCount = 512
  /// The taps of the sinc on either side of a sample.
  private static let reach = 16

  init(_ expected: Sound, _ actual: Sound, slope: Double, start: Double) {
    let energies = actual.channels.map { Alignment.product($0, $0.indices, $0, $0.indices) }
    let loudest = energies.indices.max { energies[$0] < energies[$1] } ?? 0
    self.expected = expected.channels[loudest]
    self.actual = actual.channels[loudest]
    self.slope = slope
    self.start = start
  }

  /// Refines the speed. Returns the share of the energy that remains, if it is less than a
  /// hundredth.
  mutating func refine() -> Double? {
    let span = Double(actual.count)
    var least = left(slope, start)
    // Vary the lag at the end and at the start, down to a thousandth of a frame.
    for size in [0.5, 0.2, 0.08, 0.03, 0.01, 0.004, 0.001] {
      for _ in 0..<6 {
        let tries = [(1.0, 0.0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1)].map { end, begin in
          (slope: slope + (end - begin) * size / span, start: start + begin * size)
        }
        let rests = tries.map { left($0.slope, $0.start) }
        guard let best = rests.indices.min(by: { rests[$0] < rests[$1] }), rests[best] < least
        else { break }
        (slope, start) = tries[best]
        least = rests[best]
      }
    }
    return least < 0.01 ? least : nil
  }

  /// The share of the energy that differs from the expected sound at a speed.
  private func left(_ slope: Double, _ start: Double) -> Double {
    let count = Self.stretchFrameCount
    let step = (actual.count - count) / Self.stretchCount
    var (left, all) = (0.0, 0.0)
    for stretch in 0..<Self.stretchCount {
      let first = stretch * step + step / 2
      for frame in Swift.stride(from: first, to: min(first + count, actual.count), by: 2) {
        guard let then = sample(at: Double(frame) * (1 - slope) - start) else { continue }
        let now = Double(actual[frame])
        left += (now - then) * (now - then)
        all += now * now
      }
    }
    return all > 0 ? left / all : 1
  }

  /// The expected sample at a fractional position, by a windowed sinc.
  private func sample(at position: Double) -> Double? {
    let whole = Int(position.rounded(.down))
    guard whole >= Self.reach, whole + Self.reach < expected.count else { return nil }
    let part = position - Double(whole)
    guard part > 1e-9 else { return Double(expected[whole]) }
    let sine = Math.sin(.pi * part)
    var sum = 0.0
    for tap in 1 - Self.reach...Self.reach {
      let distance = part - Double(tap)
      let window = 0.5 + 0.5 * Math.cos(.pi * distance / Double(Self.reach + 1))
      let sign = tap % 2 == 0 ? 1.0 : -1.0
      sum += Double(expected[whole + tap]) * sign * sine / (.pi * distance) * window
    }
    return sum
  }
}
