private import CKernels

/// Takes the weights of a model in the order of its file. On the control thread.
struct NeuralWeights {
  private let all: [Float]
  private var position = 0

  init(_ all: [Float]) { self.all = all }

  var isEmpty: Bool { position == all.count }

  var last: Double { Double(all.last ?? 0) }

  /// The next numbers; zeros beyond the end.
  mutating func take(_ count: Int) -> [Double] {
    let found = all[min(position, all.count)..<min(position + count, all.count)].map { Double($0) }
    position += count
    return found + [Double](repeating: 0, count: count - found.count)
  }

  /// The next numbers as a matrix: for each output and input the taps, the oldest first.
  mutating func matrix(outputs: Int, inputs: Int, taps: Int = 1) -> NeuralMatrix {
    let numbers = take(outputs * inputs * taps)
    return NeuralMatrix(
      rows: (0..<outputs).map { output in
        (0..<taps).flatMap { tap in
          (0..<inputs).map { numbers[(output * inputs + $0) * taps + tap] }
        }
      })
  }
}

/// The weights of each output: for each tap those of all inputs.
struct NeuralMatrix {
  private(set) var rows: [[Double]]

  init(rows: [[Double]]) { self.rows = rows }

  var outputCount: Int { rows.count }

  /// Both next to each other, for the inputs of both.
  func joined(_ other: NeuralMatrix) -> NeuralMatrix {
    NeuralMatrix(rows: zip(rows, other.rows).map { $0 + $1 })
  }

  func scaled(by factor: Double) -> NeuralMatrix {
    scaled(by: [Double](repeating: factor, count: rows.count))
  }

  /// With a factor for each output.
  func scaled(by factors: [Double]) -> NeuralMatrix {
    NeuralMatrix(rows: zip(rows, factors).map { row, factor in row.map { $0 * factor } })
  }

  /// The weights as `fx_neural_product` reads them.
  var tiles: [Float] {
    let width = Int(FX_NEURAL_OUTPUTS)
    return stride(from: 0, to: rows.count, by: width).flatMap { first -> [Float] in
      let tile = rows[first..<min(first + width, rows.count)]
      return (0..<(rows.first?.count ?? 0)).flatMap { input in tile.map { Float($0[input]) } }
    }
  }
}
