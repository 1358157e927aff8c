private import CKernels
import FxAudio

/// Sixteen delay lines that feed each other through an orthogonal matrix, four of them with delays
/// that move slowly: the late part of a reverb.
///
/// Allocated on the control thread, used on the render thread.
///
/// Source: J.-M. Jot and A. Chaigne, "Digital delay networks for designing artificial
/// reverberators", AES 90th Convention (1991). The matrix is a Hadamard matrix. Moving values
/// change on straight lines between the points of an absolute grid of `stretch` frames, so the bits
/// never depend on the block sizes. Each call stays within one stretch; call `begin` before the
/// first frame of each.
struct ReverbNetwork: ~Copyable {
  package static var lineCount: Int {
    @_noLocks get { Int(FX_REVERB_LINES) }
  }
  /// Frames between two points at which moving values are computed.
  package static var stretch: Int {
    @_noLocks get { Int(FX_REVERB_CHUNK) }
  }
  private static var movingCount: Int { Int(FX_REVERB_MOVING) }

  let sampleRate: Double
  private let lines: UnsafeMutablePointer<fx_reverb_line>
  private let lengths: UnsafeMutablePointer<Int>
  /// The lengths of the first lines, whose delays move.
  private let movingLengths: SIMD4<Float>
  private let buffer: SampleBuffer
  /// The losses, the weights, the states and the outputs, one after another.
  private let numbers: SampleBuffer
  private let network: UnsafeMutablePointer<fx_reverb_network>
  private var modulation: DelayModulation
  private var history: ReverbLossHistory
  private var hasStarted = false

  /// - Parameters:
  ///   - given: Sixteen lengths in frames.
  ///   - changesRinging: Whether changed losses also apply to the sound that is in the lines.
  package init(lengths given: [Int], sampleRate: Double, changesRinging: Bool = false) {
    let count = Self.lineCount
    let modulation = DelayModulation(sampleRate: sampleRate)
    let lengths = Self.lengths(given, modulation)
    history = ReverbLossHistory(lengths: changesRinging ? lengths.map { _ in 0 } : lengths)
    self.sampleRate = sampleRate
    self.modulation = modulation
    self.lengths = .allocate(capacity: count)
    self.lengths.initialize(from: lengths, count: count)
    movingLengths = SIMD4(lengths.prefix(Self.movingCount).map { Float($0) })
    let capacities = lengths.map { Self.capacity($0, modulation) }
    buffer = SampleBuffer(count: capacities.reduce(0) { $0 + $1 + Int(FX_REVERB_PAD) })
    lines = .allocate(capacity: count)
    var offset = 0
    for index in 0..<count {
      (lines + index).initialize(
        to: fx_reverb_line(
          samples: buffer.samples + offset, capacity: Int64(capacities[index]), position: 0,
          delay: Int64(lengths[index])))
      offset += capacities[index] + Int(FX_REVERB_PAD)
    }
    numbers = SampleBuffer(count: Self.numberCount)
    let weights = numbers.samples + 6 * count
    let states = weights + 2 * Self.movingCount * Int(FX_REVERB_TAPS)
    network = .allocate(capacity: 1)
    network.initialize(
      to: fx_reverb_network(
        lines: lines, losses: numbers.samples, is_moving: 0, has_bass: 0,
        level: fx_vector_level(), bass: 0, weights: weights, states: states,
        heard: states + 2 * count))
  }

  private static func lengths(_ given: [Int], _ modulation: DelayModulation) -> [Int] {
    let shortest = shortest(modulation)
    return (0..<lineCount).map { $0 < given.count ? max(given[$0], shortest) : shortest }
  }

  private static func shortest(_ modulation: DelayModulation) -> Int {
    stretch + Int(modulation.maximumDepth) + 4
  }

  private static func capacity(_ length: Int, _ modulation: DelayModulation) -> Int {
    length + Int(modulation.maximumDepth) + 4 + stretch
  }

  private static var numberCount: Int {
    lineCount * (8 + stretch + Int(FX_REVERB_PAD)) + 2 * movingCount * Int(FX_REVERB_TAPS)
  }

  /// The bytes that a network of these lengths allocates.
  package static func byteCount(
    lengths given: [Int], sampleRate: Double, changesRinging: Bool = false
  ) -> Int {
    let modulation = DelayModulation(sampleRate: sampleRate)
    let lengths = lengths(given, modulation)
    let samples = lengths.reduce(0) { $0 + capacity($1, modulation) + Int(FX_REVERB_PAD) }
    return SampleBuffer.byteCount(count: samples) + SampleBuffer.byteCount(count: numberCount)
      + lineCount * (MemoryLayout<fx_reverb_line>.stride + MemoryLayout<Int>.stride)
      + MemoryLayout<fx_reverb_network>.stride
      + ReverbLossHistory.byteCount(lengths: changesRinging ? lengths.map { _ in 0 } : lengths)
  }

  deinit {
    lines.deallocate()
    lengths.deallocate()
    network.deallocate()
  }

  // MARK: - Realtime

  /// The length of a line in frames, without modulation.
  @_noLocks
  func length(_ line: Int) -> Int { lengths[line] }

  /// Begins a stretch. What enters the lines has changed losses from its end on; the very first
  /// losses apply at once.
  @_noLocks
  package mutating func begin(
    at frame: Int, losses: borrowing ReverbLosses, haveChanged: Bool, modulation depth: Float
  ) {
    let moves = history.take(
      losses.rows.samples, haveChanged: haveChanged, isFirst: !hasStarted)
    if moves || !hasStarted || network.pointee.is_moving != 0 {
      lead(moves: moves)
      network.pointee.is_moving = moves ? 1 : 0
      network.pointee.has_bass = losses.hasBass ? 1 : 0
      network.pointee.bass = losses.bass
    }
    modulation.begin(at: frame, depth: depth, isFirst: !hasStarted)
    hasStarted = true
    let weights = numbers.samples + 6 * Self.lineCount
    fx_reverb_place(
      network, movingLengths + modulation.offsets(at: frame),
      movingLengths + modulation.nextOffsets(at: frame &+ Self.stretch), weights)
  }

  /// Sets the losses of a stretch: the values at its start, and the change per frame.
  @_noLocks
  private func lead(moves: Bool) {
    let count = 3 * Self.lineCount
    let rows = numbers.samples
    let length = Float(Self.stretch)
    for index in 0..<count {
      let target = history.targets.samples[index]
      let reached = moves ? rows[index] + length * rows[count + index] : target
      rows[index] = reached
      rows[count + index] = (target - reached) * (1 / length)
    }
  }

  /// Reads frames of every line; `place` is the index of the first frame in its stretch.
  @_noLocks
  package func read(place: Int, frameCount: Int) {
    fx_reverb_read(network, place, frameCount)
  }

  /// Writes the output of one side: the sum of the even lines (side 0) or of the odd lines (side
  /// 1), plus the early part times its level. The pattern, 0...7, selects the polarities of the
  /// lines.
  @_noLocks
  package func sum(
    side: Int, pattern: Int, early: UnsafePointer<Float>, level: Float,
    into output: UnsafeMutablePointer<Float>, frameCount: Int
  ) {
    fx_reverb_sum(network, side, pattern, early, level, output, frameCount)
  }

  /// Mixes the outputs, adds the left input for the even lines and the right input for the odd
  /// ones, and writes the sums to the lines.
  @_noLocks
  package func write(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frameCount: Int
  ) {
    fx_reverb_write(network, left, right, frameCount)
  }

  /// True when silence in gives silence out, see `UnitEntry.isAtRest`. Even then, `begin` must be
  /// called before the first frame of a stretch.
  @_noLocks
  package func isAtRest(modulation depth: Float) -> Bool {
    guard hasStarted, network.pointee.is_moving == 0, modulation.isStill(depth: depth) else {
      return false
    }
    for index in 0..<2 &* Self.lineCount where network.pointee.states[index] != 0 { return false }
    for index in 0..<Self.lineCount
    where fx_is_silent(lines[index].samples, Int(lines[index].capacity)) == 0 {
      return false
    }
    return true
  }

  @_noLocks
  package mutating func clear() {
    buffer.clear()
    numbers.clear()
    network.pointee.is_moving = 0
    hasStarted = false
    for index in 0..<Self.lineCount { lines[index].position = 0 }
  }
}
