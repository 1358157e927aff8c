private import CKernels
import FxAudio

/// Runs a network without recurrence for each channel, layer by layer for a whole block of frames.
///
/// Allocated on the control thread, used on the render thread. The output does not depend on the
/// block sizes.
struct NeuralLayers: ~Copyable {
  /// A row for each channel of a layer: past frames, and room for the next ones.
  private struct Line: BitwiseCopyable {
    var start: UnsafeMutablePointer<Float>
    /// From one row to the next.
    var stride: Int
    var channelCount: Int
    var history: Int
    /// The frame that comes next.
    var position: Int
    /// The last position from which there is room for a block.
    var end: Int
  }

  /// The most frames of a block.
  static var chunk: Int { @_noLocks get { 64 } }

  private let channelCount: Int
  private let input: Int
  private let output: Int
  private let weights: SampleBuffer
  private let samples: SampleBuffer
  private let steps: UnsafeMutablePointer<NeuralStep>
  private let stepCount: Int
  /// Channels × lines.
  private let lines: UnsafeMutablePointer<Line>
  private let lineCount: Int
  private let rows: UnsafeMutablePointer<UnsafePointer<Float>?>
  private let vectorLevel: Int32

  /// - Parameter plan: nil for a network that never runs.
  init(_ plan: NeuralPlan?, channelCount: Int, vectorLevel: Int? = nil) {
    let best = fx_vector_level()
    self.vectorLevel = vectorLevel.map { min(Int32(clamping: $0), best) } ?? best
    self.channelCount = plan == nil ? 0 : channelCount
    let planned = plan?.lines ?? []
    input = plan?.input ?? 0
    output = plan?.output ?? 0
    weights = SampleBuffer(count: plan?.weights.count ?? 0)
    for (index, weight) in (plan?.weights ?? []).enumerated() { weights.samples[index] = weight }
    let perChannel = planned.reduce(0) { $0 + Self.sampleCount($1) }
    samples = SampleBuffer(count: perChannel * channelCount)
    stepCount = plan?.steps.count ?? 0
    steps = .allocate(capacity: max(stepCount, 1))
    for (index, step) in (plan?.steps ?? []).enumerated() { (steps + index).initialize(to: step) }
    lineCount = planned.count
    lines = .allocate(capacity: max(lineCount * channelCount, 1))
    var start = samples.samples
    for channel in 0..<channelCount {
      for (index, line) in planned.enumerated() {
        (lines + channel * lineCount + index).initialize(
          to: Line(
            start: start, stride: Self.stride(line), channelCount: line.channelCount,
            history: line.history, position: line.history, end: line.history + Self.room(line)))
        start += Self.sampleCount(line)
      }
    }
    let rowCount = plan?.rowCount ?? 1
    rows = .allocate(capacity: rowCount)
    rows.initialize(repeating: nil, count: rowCount)
  }

  deinit {
    steps.deallocate()
    lines.deallocate()
    rows.deallocate()
  }

  /// Frames by which a line moves on before its history is copied back to its start.
  private static func room(_ line: NeuralPlan.Line) -> Int {
    line.history == 0 ? 0 : min(max(line.history, 2 * chunk), 8 * chunk)
  }

  /// An odd number of cache lines, so that rows do not share the same few places of the cache.
  private static func stride(_ line: NeuralPlan.Line) -> Int {
    let count = line.history + room(line) + chunk
    return ((count + 15) / 16 | 1) * 16
  }

  private static func sampleCount(_ line: NeuralPlan.Line) -> Int {
    stride(line) * line.channelCount
  }

  /// The bytes that the layers allocate.
  static func byteCount(_ plan: NeuralPlan?, channelCount: Int) -> Int {
    guard let plan else { return 0 }
    let lines = plan.lines.reduce(0) { $0 + sampleCount($1) }
    return SampleBuffer.byteCount(count: lines * channelCount)
      + SampleBuffer.byteCount(count: plan.weights.count)
      + plan.steps.count * MemoryLayout<NeuralStep>.stride
      + plan.lines.count * channelCount * MemoryLayout<Line>.stride
      + plan.rowCount * MemoryLayout<UnsafePointer<Float>?>.stride
  }

  // MARK: - Realtime

  /// Writes the output for at most `chunk` frames; `output` may be `input`.
  @_noLocks
  func render(
    _ input: UnsafePointer<Float>, channel: Int, to output: UnsafeMutablePointer<Float>,
    frameCount: Int
  ) {
    let lines = self.lines + channel &* lineCount
    let first = lines[self.input]
    let entrance = first.start + first.position
    entrance.copy(input, count: frameCount)
    run(lines, frameCount: frameCount, settles: false)
    let last = lines[self.output]
    output.copy(last.start + last.position, count: frameCount)
    for index in 0..<lineCount { advance(&lines[index], frameCount) }
  }

  /// Fills the memory as if silence had come in for a long time, and returns the output for it.
  @_noLocks
  func settle(channel: Int) -> Float {
    let lines = self.lines + channel &* lineCount
    for index in 0..<lineCount { lines[index].position = lines[index].history }
    let first = lines[input]
    first.start.update(repeating: 0, count: first.position &+ Self.chunk)
    run(lines, frameCount: 1, settles: true)
    let last = lines[output]
    return last.start[last.position]
  }

  @_noLocks
  private func run(_ lines: UnsafeMutablePointer<Line>, frameCount: Int, settles: Bool) {
    let count = (frameCount &+ Int(FX_NEURAL_FRAMES) &- 1) & ~(Int(FX_NEURAL_FRAMES) &- 1)
    for index in 0..<stepCount {
      let written: Int
      switch steps[index] {
      case .product(let product):
        multiply(product, lines, count)
        written = product.output
      case .activation(let activation):
        activate(activation, lines[activation.line], count)
        written = activation.line
      case .sum(let from, let to, let channelCount, let replaces):
        add(lines[from], to: lines[to], channelCount, replaces, count)
        written = to
      }
      if settles { settle(lines[written]) }
    }
  }

  @_noLocks
  private func multiply(
    _ product: NeuralProduct, _ lines: UnsafeMutablePointer<Line>, _ count: Int
  ) {
    var rowCount = place(product.inputs, lines, after: 0)
    if let others = product.others { rowCount = place(others, lines, after: rowCount) }
    let output = lines[product.output]
    var added: UnsafePointer<Float>?
    var stride = 0
    if let index = product.added {
      added = UnsafePointer(lines[index].start + lines[index].position)
      stride = lines[index].stride
    }
    var bias: UnsafePointer<Float>?
    if let place = product.bias { bias = UnsafePointer(weights.samples + place) }
    fx_neural_product(
      vectorLevel, weights.samples + product.weights, rows, rowCount, bias, added, stride,
      output.start + output.position, output.stride, product.outputCount, count)
  }

  /// Stores where the rows of a product begin; returns the number of rows so far.
  @_noLocks
  private func place(
    _ taps: NeuralTaps, _ lines: UnsafeMutablePointer<Line>, after count: Int
  ) -> Int {
    let line = lines[taps.line]
    var next = count
    for tap in 0..<taps.count {
      let start = line.start + line.position - taps.dilation &* (taps.count &- 1 &- tap)
      for channel in 0..<taps.channelCount {
        rows[next] = UnsafePointer(start + channel &* line.stride)
        next &+= 1
      }
    }
    return next
  }

  @_noLocks
  private func activate(_ activation: NeuralActivation, _ line: Line, _ count: Int) {
    let values = line.start + line.position
    var gates: UnsafePointer<Float>?
    if activation.gate != nil {
      gates = UnsafePointer(values + activation.channelCount &* line.stride)
    }
    let gate = activation.gate ?? activation.function
    fx_neural_activate(
      vectorLevel, activation.function.number, activation.function.slope, values, gates,
      gate.number, gate.slope, line.stride, activation.channelCount, count)
  }

  @_noLocks
  private func add(
    _ from: Line, to: Line, _ channelCount: Int, _ replaces: Bool, _ count: Int
  ) {
    for channel in 0..<channelCount {
      let input = from.start + from.position + channel &* from.stride
      let output = to.start + to.position + channel &* to.stride
      if replaces {
        output.copy(input, count: count)
      } else {
        fx_add(vectorLevel, input, output, count)
      }
    }
  }

  /// Gives the past frames of a line the value of its next frame.
  @_noLocks
  private func settle(_ line: Line) {
    guard line.history > 0 else { return }
    for channel in 0..<line.channelCount {
      let row = line.start + channel &* line.stride
      row.update(repeating: row[line.position], count: line.position)
    }
  }

  /// Moves on; where there is no room for another block, copies the history to the start.
  @_noLocks
  private func advance(_ line: inout Line, _ frameCount: Int) {
    guard line.history > 0 else { return }
    line.position &+= frameCount
    guard line.position > line.end else { return }
    for channel in 0..<line.channelCount {
      let row = line.start + channel &* line.stride
      row.copy(row + line.position - line.history, count: line.history)
    }
    line.position = line.history
  }
}
