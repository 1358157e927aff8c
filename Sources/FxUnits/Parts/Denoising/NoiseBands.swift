/// The bands in which noise is followed: a third of an octave wide and at least eight bins. Each
/// has eight cells of about equal width.
struct NoiseBands {
  static var cellCount: Int { 8 }

  /// The first bin of each band, and the end of the last one. Bin 0 belongs to none.
  let edges: [Int]

  var count: Int { max(edges.count - 1, 0) }

  init(binCount: Int) {
    var edges = [1]
    while let first = edges.last, first < binCount {
      let next = first + max(Self.cellCount, first * 26 / 100)
      // A rest that is too small for a band of its own belongs to the last one.
      edges.append(binCount - next < Self.cellCount ? binCount : min(next, binCount))
    }
    self.edges = edges
  }

  /// The bins of a cell.
  func bins(_ band: Int, cell: Int) -> Range<Int> {
    let (first, width) = (edges[band], edges[band + 1] - edges[band])
    return first + width * cell / Self.cellCount..<first + width * (cell + 1) / Self.cellCount
  }

  /// The bins of a band.
  func bins(_ band: Int) -> Range<Int> { edges[band]..<edges[band + 1] }

  /// The mean of each cell, band × cell, of the bins from `start`.
  func cells(_ powers: [Double], from start: Int) -> [Float] {
    var cells: [Float] = []
    for band in 0..<count {
      for cell in 0..<Self.cellCount {
        let bins = bins(band, cell: cell)
        let sum = bins.reduce(0.0) { $0 + powers[start + $1] }
        cells.append(Float(sum / Double(max(bins.count, 1))))
      }
    }
    return cells
  }
}
