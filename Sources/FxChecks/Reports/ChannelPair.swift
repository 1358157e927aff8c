/// One channel of the expected and of the actual sound, ready to draw. One of them may be missing.
struct ChannelPair {
  /// The resolution of the drawings: more channels get a lower one, so that a page stays small.
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

  /// `Left`, `Channel 3`, or empty for a single channel.
  var name: String
  var expected: [Float]?
  var actual: [Float]?
  /// The sample rate of each sound in Hz.
  var expectedRate: Double
  var actualRate: Double
  /// nil if there is nothing to compare with.
  var comparison: Comparison.Channel?
  var detail: Detail

  /// Both sounds, if they can be subtracted frame by frame.
  var both: (expected: [Float], actual: [Float])? {
    guard let expected, let actual, expectedRate == actualRate else { return nil }
    return (expected, actual)
  }

  var isSame: Bool { comparison.map { $0.firstDifference == nil } ?? false }

  /// The duration of the longer sound in seconds.
  var seconds: Double {
    max(
      Double(expected?.count ?? 0) / max(expectedRate, 1e-3),
      Double(actual?.count ?? 0) / max(actualRate, 1e-3))
  }

  /// The sample rate of the time axis: that of the actual sound if there is one.
  var sampleRate: Double { actual == nil ? expectedRate : actualRate }

  /// The frames of the time axis.
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

  /// The positions of the differences on the time axis.
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
