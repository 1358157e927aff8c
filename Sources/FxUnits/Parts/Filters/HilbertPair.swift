import FxAudio

/// Two all-pass chains with outputs a quarter of a period apart, from 15 Hz to 15 Hz below half the
/// sample rate.
///
/// At 48 kHz the unwanted sideband is 80 dB down. The coefficients are those of an elliptic
/// half-band filter, shifted by a quarter of the sample rate: R. Ansari, "IIR discrete-time Hilbert
/// transformers", IEEE Trans. ASSP 35 (1987); P. A. Regalia, "Special filter designs", in S. K.
/// Mitra and J. F. Kaiser, "Handbook for Digital Signal Processing" (1993).
///
/// Allocated on the control thread, used on the render thread.
struct HilbertPair: ~Copyable {
  private static let sectionCount = 20
  /// The lowest frequency in hertz.
  private static let edge = 15.0

  private let channelCount: Int
  /// One for each section, alternating between the first chain and the second.
  private let coefficients: UnsafeMutablePointer<Double>
  /// For each channel: the inputs and outputs of each section in the last two frames, and the
  /// latest input.
  private let states: UnsafeMutablePointer<Double>

  private static var perBranch: Int { @_noLocks get { 10 } }
  /// Values of one channel: inputs and outputs of both chains for even and odd frames, and the
  /// latest input.
  private static var stateCount: Int { @_noLocks get { 4 &* (perBranch &+ 1) &+ 1 } }

  package init(channelCount: Int, sampleRate: Double) {
    self.channelCount = channelCount
    coefficients = .allocate(capacity: Self.sectionCount)
    for (index, value) in Self.design(sampleRate: sampleRate).enumerated() {
      (coefficients + index).initialize(to: value)
    }
    states = .allocate(capacity: max(channelCount, 1) * Self.stateCount)
    states.initialize(repeating: 0, count: max(channelCount, 1) * Self.stateCount)
  }

  deinit {
    coefficients.deallocate()
    states.deallocate()
  }

  package static func byteCount(channelCount: Int) -> Int {
    (sectionCount + max(channelCount, 1) * stateCount) * MemoryLayout<Double>.stride
  }

  private static func design(sampleRate: Double) -> [Double] {
    let transition = 2 * edge / sampleRate
    let tangent = Math.tan((1 - 2 * transition) * Double.pi / 4)
    let k = tangent * tangent
    let root = Math.squareRoot(Math.squareRoot(1 - k * k))
    let e = 0.5 * (1 - root) / (1 + root)
    let e4 = e * e * e * e
    // Jacobi's nome, by its series.
    let q = e * (1 + e4 * (2 + e4 * (15 + e4 * (150 + e4 * 1707))))
    let order = Double(2 * sectionCount + 1)
    return (1...sectionCount).map { section in
      var (above, below) = (0.0, 0.5)
      for term in 0..<16 {
        let sign = term % 2 == 0 ? 1.0 : -1
        let (t, place) = (Double(term), Double(section) * Double.pi / order)
        above += sign * Math.pow(q, t * (t + 1)) * Math.sin((2 * t + 1) * place)
        if term > 0 { below += sign * Math.pow(q, t * t) * Math.cos(2 * t * place) }
      }
      let ratio = above * Math.pow(q, 0.25) / below
      let square = ratio * ratio
      let x = Math.squareRoot((1 - square * k) * (1 - square / k)) / (1 + square)
      return (1 - x) / (1 + x)
    }
  }

  // MARK: - Realtime

  /// The two outputs of a channel at a frame: `sine` is a quarter of a period behind `cosine`.
  @_noLocks
  package func process(_ input: Double, channel: Int, frame: Int) -> (cosine: Double, sine: Double)
  {
    let state = states + channel &* Self.stateCount
    let chain = Self.perBranch &+ 1
    // Each section combines frames that are two apart.
    let row = state + (frame & 1) &* 2 &* chain
    let latest = state + (Self.stateCount &- 1)
    let first = run(input, row, from: 0)
    let second = run(latest.pointee, row + chain, from: 1)
    latest.pointee = input
    return (first, second)
  }

  @_noLocks @inline(__always)
  private func run(
    _ input: Double, _ row: UnsafeMutablePointer<Double>, from start: Int
  ) -> Double {
    var (now, before) = (input, row[0])
    row[0] = input
    for section in 0..<Self.perBranch {
      let old = row[section &+ 1]
      let output = coefficients[2 &* section &+ start] * (now + old) - before
      row[section &+ 1] = output
      (now, before) = (output, old)
    }
    return now
  }

  @_noLocks
  package func clear() {
    for index in 0..<channelCount &* Self.stateCount { states[index] = 0 }
  }
}
