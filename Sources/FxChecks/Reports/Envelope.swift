/// Samples reduced to the width of a drawing: the lowest and the highest sample of each column, so
/// that no peak is lost.
struct Envelope {
  /// NaN for a column without a finite sample.
  var minima: [Float]
  var maxima: [Float]
  /// For each column, the frame of the highest magnitude; the middle if there is none.
  var loudestFrames: [Int]
  var peak: Float
  /// The frame of the highest magnitude.
  var peakFrame: Int?

  /// - Parameters:
  ///   - other: if given, the envelope is that of `samples` minus `other`, over their common
  ///     length.
  ///   - framesPerColumn: frames for each column; below 1 if there are fewer frames than columns.
  init(
    _ samples: [Float], minus other: [Float]? = nil, columnCount: Int, framesPerColumn: Double
  ) {
    let columnCount = max(columnCount, 0)
    minima = Array(repeating: .nan, count: columnCount)
    maxima = minima
    loudestFrames = []
    loudestFrames.reserveCapacity(columnCount)
    peak = 0
    peakFrame = nil
    let count = min(samples.count, other?.count ?? .max)
    let width = framesPerColumn.isFinite ? max(framesPerColumn, 1) : 1
    for column in 0..<columnCount {
      let start = min(Int(Double(column) * width), count)
      let end = column == columnCount - 1 ? count : min(Int(Double(column + 1) * width), count)
      let run = Run(samples, minus: other, start..<max(start, end))
      loudestFrames.append(run.loudestFrame ?? (start + end) / 2)
      guard let loudest = run.loudestFrame else { continue }
      minima[column] = run.minimum
      maxima[column] = run.maximum
      if peakFrame == nil || run.magnitude > peak {
        peak = run.magnitude
        peakFrame = loudest
      }
    }
  }

  /// The values of one column.
  private struct Run {
    var minimum = Float.infinity
    var maximum = -Float.infinity
    var magnitude: Float = -1
    var loudestFrame: Int?

    init(_ samples: [Float], minus other: [Float]?, _ frames: Range<Int>) {
      samples.withUnsafeBufferPointer { samples in
        if let other {
          other.withUnsafeBufferPointer { other in
            for frame in frames { add(samples[frame] - other[frame], frame) }
          }
        } else {
          for frame in frames { add(samples[frame], frame) }
        }
      }
    }

    @inline(__always)
    private mutating func add(_ sample: Float, _ frame: Int) {
      guard sample.isFinite else { return }
      minimum = min(minimum, sample)
      maximum = max(maximum, sample)
      if abs(sample) > magnitude {
        magnitude = abs(sample)
        loudestFrame = frame
      }
    }
  }

  /// The outline as an SVG path between 0 and `height`, one unit for each column; `full` is the
  /// amplitude at the edges.
  func path(height: Int, full: Float) -> String {
    func y(_ value: Float) -> Int {
      let share = full > 0 ? value / full : 0
      return Int((Float(height) / 2 * (1 - min(max(share, -1), 1))).rounded())
    }
    if minima.count == 1, let value = minima.first {
      return value.isFinite ? "M0 \(y(value))h1V\(y(maxima[0]))" : ""
    }
    var path = ""
    var column = 0
    while column < minima.count {
      guard minima[column].isFinite else {
        column += 1
        continue
      }
      let start = column
      while column < minima.count, minima[column].isFinite { column += 1 }
      var previous = y(maxima[start])
      path += "M\(start).5 \(previous)"
      for index in start + 1..<max(column, start + 1) {
        let next = y(maxima[index])
        path += "l1 \(next - previous)"
        previous = next
      }
      let last = y(minima[column - 1])
      path += "v\(last - previous)"
      previous = last
      for index in stride(from: column - 2, through: start, by: -1) {
        let next = y(minima[index])
        path += "l-1 \(next - previous)"
        previous = next
      }
      path += "z"
    }
    return path
  }
}
