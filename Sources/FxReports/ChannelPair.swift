import FxAnalysis

/// One channel as it is expected and as it came, ready to be drawn. Either may be missing.
struct ChannelPair {
  /// How finely channels are drawn: the more there are, the coarser, so that a page stays small.
  struct Detail {
    var columnCount: Int
    var pictureWidth: Int
    var pictureHeight: Int

    init(channelCount: Int) {
      switch channelCount {
      case ...2: (columnCount, pictureWidth, pictureHeight) = (900, 480, 160)
      case ...4: (columnCount, pictureWidth, pictureHeight) = (600, 360, 130)
      default: (columnCount, pictureWidth, pictureHeight) = (450, 280, 104)
      }
    }
  }

  /// `Left`, `Channel 3`, `` for the only one.
  var name: String
  var expected: [Float]?
  var actual: [Float]?
  /// Frames a second of each.
  var expectedRate: Double
  var actualRate: Double
  /// nil where there is nothing to compare with.
  var comparison: Comparison.Channel?
  var detail: Detail

  /// Both, where they can be taken from one another frame by frame.
  var both: (expected: [Float], actual: [Float])? {
    guard let expected, let actual, expectedRate == actualRate else { return nil }
    return (expected, actual)
  }

  var isSame: Bool { comparison.map { $0.firstDifference == nil } ?? false }

  /// Seconds of the longer of the two.
  var seconds: Double {
    max(
      Double(expected?.count ?? 0) / max(expectedRate, 1e-3),
      Double(actual?.count ?? 0) / max(actualRate, 1e-3))
  }

  /// Of the time axis: that of what came, where it came.
  var sampleRate: Double { actual == nil ? expectedRate : actualRate }

  /// Of the time axis.
  var frameCount: Int {
    let frames = (seconds * sampleRate).rounded()
    return frames < 1e15 ? Int(frames) : 0
  }

  var columnCount: Int { min(detail.columnCount, max(frameCount, 1)) }

  func envelope(_ samples: [Float], minus other: [Float]? = nil, rate: Double) -> Envelope {
    Envelope(
      samples, minus: other, columnCount: columnCount,
      framesPerColumn: seconds * rate / Double(columnCount))
  }

  /// Where the differences are, on the time axis.
  var markers: [Plot.Marker] {
    guard both != nil, frameCount > 0, let comparison, let first = comparison.firstDifference
    else { return [] }
    func position(_ frame: Int) -> Double { (Double(frame) + 0.5) / Double(frameCount) }
    return [
      Plot.Marker(kind: .first, position: position(first)),
      Plot.Marker(kind: .peak, position: position(comparison.peakFrame)),
    ]
  }
}
