import FxAudio

/// The levels of a sound over time and frequency, one value per pixel, for pictures.
///
/// Every column is the maximum of a few windows spread over its frames, so that a sound of any
/// length takes the same time. The frequency axis is logarithmic.
package struct Spectrogram: Sendable {
  /// The ranges and the resolution of the picture.
  package struct Grid: Sendable {
    var columnCount: Int
    package var rowCount: Int
    /// The frequencies at the bottom and at the top in hertz.
    package var frequencies: ClosedRange<Double>
    /// Frames from the left edge to the right edge.
    package var frameCount: Int
    package var sampleRate: Double

    /// From 40 Hz to 20 kHz, or to half the sample rate if that is lower.
    package init(columnCount: Int, rowCount: Int, frameCount: Int, sampleRate: Double) {
      self.columnCount = max(min(columnCount, frameCount), 1)
      self.rowCount = max(rowCount, 1)
      self.frameCount = max(frameCount, 1)
      let rate = sampleRate.isFinite ? min(max(sampleRate, 1), 1e9) : 1
      self.sampleRate = rate
      let highest = min(20000, rate / 2)
      frequencies = min(40, highest / 4)...highest
    }

    /// The position of a frequency: 0 at the bottom, 1 at the top.
    package func position(ofHertz hertz: Double) -> Double {
      let low = Math.log2(frequencies.lowerBound)
      return (Math.log2(max(hertz, 1e-9)) - low) / (Math.log2(frequencies.upperBound) - low)
    }

    /// The frequency at a position from 0 to 1.
    func hertz(at position: Double) -> Double {
      let low = Math.log2(frequencies.lowerBound)
      return Math.exp2(low + position * (Math.log2(frequencies.upperBound) - low))
    }

    /// The length of a window: 85 ms at 48 kHz, and less for short sounds.
    var windowFrameCount: Int {
      let longest = min(max(sampleRate * 0.07, 64), 65536)
      let length = min(FourierTransform.length(atLeast: Int(longest)), 65536)
      return min(length, max(FourierTransform.length(atLeast: frameCount / 8), 128))
    }
  }

  package let grid: Grid
  /// Decibels, as the level of a sine with the same strength; row by row, the highest frequencies
  /// first. At least `floor`.
  package private(set) var levels: [Float]

  package static let floor: Float = -200
  /// The most windows of a column, without the one of `focus`.
  private static let windowsPerColumn = 3

  package var peak: Float { levels.max() ?? Self.floor }

  /// - Parameters:
  ///   - samples: Samples that are not finite count as silence.
  ///   - other: If given, the picture shows `samples` minus `other`.
  ///   - focus: For each column, a frame in the middle of one of its windows.
  package init(
    _ samples: [Float], minus other: [Float]? = nil, grid: Grid, focus: [Int] = []
  ) {
    self.grid = grid
    let rowCount = grid.rowCount
    levels = [Float](repeating: Self.floor, count: grid.columnCount * rowCount)
    guard let analyser = Analyser(grid) else { return }
    for column in 0..<grid.columnCount {
      var power = [Float](repeating: 0, count: rowCount)
      for centre in Self.centres(ofColumn: column, grid: grid, focus: focus) {
        analyser.add(samples, minus: other, around: centre, to: &power)
      }
      for row in 0..<rowCount where power[row] > 0 {
        levels[(rowCount - 1 - row) * grid.columnCount + column] =
          max(10 * 0.301_03 * Math.log2(power[row]), Self.floor)
      }
    }
  }

  private static func centres(ofColumn column: Int, grid: Grid, focus: [Int]) -> [Int] {
    let width = Double(grid.frameCount) / Double(grid.columnCount)
    let start = Double(column) * width
    let count = min(max(Int(width / Double(grid.windowFrameCount / 2)), 1), windowsPerColumn)
    var centres = (0..<count).map { Int(start + (Double($0) + 0.5) * width / Double(count)) }
    if count > 1, focus.indices.contains(column) { centres.append(focus[column]) }
    return centres
  }
}

/// Analyses single windows and maps bins to rows.
private struct Analyser {
  private let transform: FourierTransform
  private let window: [Float]
  /// The lower and upper edge of each row, in bins with fractions.
  private let rows: [(low: Double, high: Double)]

  init?(_ grid: Spectrogram.Grid) {
    let length = grid.windowFrameCount
    guard let transform = FourierTransform(length: length) else { return nil }
    self.transform = transform
    // A Hann window, scaled so that a sine of amplitude 1 gives 1.
    window = (0..<length).map {
      Float((0.5 - 0.5 * Math.cos(2 * .pi * Double($0) / Double(length))) * 4 / Double(length))
    }
    let last = Double(length / 2)
    rows = (0..<grid.rowCount).map { row in
      let edges = [row, row + 1].map {
        let hertz = grid.hertz(at: Double($0) / Double(grid.rowCount))
        return min(hertz * Double(length) / grid.sampleRate, last)
      }
      return (edges[0], edges[1])
    }
  }

  func add(_ samples: [Float], minus other: [Float]?, around centre: Int, to power: inout [Float]) {
    var stretch = window
    let start = centre - window.count / 2
    var isSilent = true
    for index in stretch.indices {
      let frame = start + index
      guard frame >= 0, frame < samples.count, other.map({ frame < $0.count }) ?? true else {
        stretch[index] = 0
        continue
      }
      let sample = samples[frame] - (other?[frame] ?? 0)
      stretch[index] *= sample.isFinite ? sample : 0
      if stretch[index] != 0 { isSilent = false }
    }
    guard !isSilent else { return }
    let bins = transform.spectrum(stretch)
    func square(_ bin: Int) -> Float {
      Float(bins[bin].power)
    }
    for (row, edges) in rows.enumerated() {
      var value: Float
      if Int(edges.high) > Int(edges.low) {
        value = 0
        for bin in Int(edges.low.rounded(.up))...Int(edges.high) where bin < bins.count {
          value = max(value, square(bin))
        }
      } else {
        let middle = (edges.low + edges.high) / 2
        let bin = min(Int(middle), bins.count - 2)
        let part = Float(middle - Double(bin))
        value = square(bin) * (1 - part) + square(bin + 1) * part
      }
      if value.isFinite { power[row] = max(power[row], value) }
    }
  }
}
