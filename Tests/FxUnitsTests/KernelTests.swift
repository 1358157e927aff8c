import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct `The control grid` {
  /// The absolute frames at which a render of these blocks renews its coefficients.
  private func points(from first: Int, blocks: [Int]) -> [Int] {
    var grid = ControlGrid()
    var points: [Int] = []
    var frame = first
    let pointer = UnsafeMutablePointer<ParameterSignal>.allocate(capacity: 1)
    let inputs = UnsafeMutablePointer<UnsafePointer<Float>>.allocate(capacity: 1)
    let outputs = UnsafeMutablePointer<UnsafeMutablePointer<Float>>.allocate(capacity: 1)
    defer {
      pointer.deallocate()
      inputs.deallocate()
      outputs.deallocate()
    }
    for count in blocks {
      let block = RenderBlock(
        inputs: inputs, inputCount: 0, outputs: outputs, outputCount: 0, frameCount: count,
        frame: frame, parameters: pointer)
      var start = 0
      while start < count {
        if grid.isDue(frame + start) { points.append(frame + start) }
        start = grid.pieceEnd(block, after: start)
      }
      frame += count
    }
    return points
  }

  @Test func `lies on multiples of sixteen and on the first frame, however blocks are cut`() {
    #expect(points(from: -37, blocks: [80]) == [-37, -32, -16, 0, 16, 32])
    #expect(points(from: -37, blocks: [1, 4, 1, 40, 3, 31]) == [-37, -32, -16, 0, 16, 32])
    #expect(points(from: 0, blocks: [7, 9, 16]) == [0, 16])
  }

  @Test func `a control value reports a change`() {
    var value = ControlValue()
    let still = ParameterSignal(constant: 3)
    #expect(!value.isSettled(still))
    let first = value.take(still, 0)
    let again = value.take(still, 5)
    #expect(first && !again)
    #expect(value.isSettled(still) && !value.isSettled(ParameterSignal(constant: 4)))
  }
}

@Suite struct `The mix kernel` {
  @Test func `adds in order with the same bits on every instruction set`() {
    let count = 101
    let inputs = (0..<5).map { Signal.noise(count, seed: UInt64($0)) }
    let gains: [Float] = [0.3, 1, 0.7, 0.1, 2]
    let expected = (0..<count).map { frame in
      var sum: Float = 0
      for (input, gain) in zip(inputs, gains) { sum += gain * input[frame] }
      return sum * 0.9
    }
    let memory = inputs.map { input in
      let buffer = UnsafeMutablePointer<Float>.allocate(capacity: count)
      buffer.initialize(from: input, count: count)
      return buffer
    }
    let output = UnsafeMutablePointer<Float>.allocate(capacity: count)
    defer { for buffer in memory + [output] { buffer.deallocate() } }
    let pointers = memory.map { UnsafePointer($0) }
    for level in 0...2 {
      for length in [1, 31, 32, 33, count] {
        pointers.withUnsafeBufferPointer { pointers in
          gains.withUnsafeBufferPointer { gains in
            guard let pointers = pointers.baseAddress, let gains = gains.baseAddress else { return }
            MixKernel(vectorLevel: level).render(
              pointers, gains, 5, gain: 0.9, to: output, length)
          }
        }
        #expect(
          Array(UnsafeBufferPointer(start: output, count: length)) == Array(expected[..<length]))
      }
    }
  }
}

@Suite struct `The sliding mean square` {
  @Test func `is that of the last 300 ms`() {
    let signal = Signal.constant(0.5, 2400) + Signal.constant(0.1, 2400)
    signal.withUnsafeBufferPointer { samples in
      guard let samples = samples.baseAddress else { return }
      for block in [1, 77, 4800] {
        var square = SlidingMeanSquare(sampleRate: 8000)
        var start = 0
        while start < 2400 {
          let count = min(block, 2400 - start)
          square.render(samples + start, count)
          start += count
        }
        #expect(abs(square.meanSquare - 0.25) < 1e-9)
        square.render(samples + 2400, 1200)
        #expect(abs(square.meanSquare - (0.25 + 0.01) / 2) < 1e-8)
        square.render(samples + 3600, 1200)
        #expect(abs(square.meanSquare - 0.01) < 1e-8)
        square.reset()
        #expect(square.meanSquare == 0)
      }
    }
  }

  @Test(arguments: [8000.0, 11025, 44100]) func `ends at the latest sample`(_ rate: Double) {
    let length = Int((0.3 * rate).rounded())
    let signal = Signal.noise(3 * length, seed: 9)
    for block in [64, 256, 2048] {
      var square = SlidingMeanSquare(sampleRate: rate)
      var end = 0
      while end < signal.count {
        let count = min(block, signal.count - end)
        [Float](signal[end..<end + count]).withUnsafeBufferPointer {
          if let base = $0.baseAddress { square.render(base, count) }
        }
        end += count
        let window = signal[max(0, end - length)..<end]
        let mean = window.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(window.count)
        #expect(abs(square.meanSquare - mean) < 1e-9)
      }
    }
  }

  @Test func `forgets a sample that is NaN or infinite after its window`() {
    var signal = Signal.constant(0.5, 4800)
    signal[100] = .nan
    signal.withUnsafeBufferPointer { samples in
      guard let samples = samples.baseAddress else { return }
      var square = SlidingMeanSquare(sampleRate: 8000)
      square.render(samples, 4800)
      #expect(abs(square.meanSquare - 0.25) < 1e-9)
    }
  }
}
