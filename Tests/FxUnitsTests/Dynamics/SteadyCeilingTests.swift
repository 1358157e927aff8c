import FxAudio
import FxTestSupport
@testable import FxUnits
import Testing

@Suite struct SteadyCeilingTests {
  /// Random chunks: runs of one value with other values, and curves, in between.
  private static func chunks(seed: UInt64) -> [(values: [Float], isConstant: Bool)] {
    var random = SeededRandom(seed)
    return (0..<400).map { _ in
      let count = Int(random.next() % 64) + 1
      let value = Float(random.next() % 16 == 0 ? random.next() % 3 : 1)
      guard random.next() % 32 == 0 else {
        return ([Float](repeating: value, count: count), true)
      }
      return ((0..<count).map { _ in Float(random.next() % 3) }, false)
    }
  }

  @Test(arguments: [0, 1, 40, 300])
  func `a chunk is steady only if it and the latency before it have one value`(
    latency: Int
  ) {
    var steady = SteadyCeiling()
    var history: [Float] = []
    var steadyCount = 0
    for chunk in Self.chunks(seed: UInt64(latency)) {
      let count = chunk.values.count
      var ceilings = [Float](repeating: -1, count: count)
      let isSteady = chunk.values.withUnsafeBufferPointer { values in
        guard let base = values.baseAddress else { return false }
        let signal =
          chunk.isConstant ? ParameterSignal(constant: base[0]) : ParameterSignal(samples: base)
        return steady.take(signal, from: 0, into: &ceilings, count: count, latency: latency)
      }
      #expect(ceilings == chunk.values)
      history += chunk.values
      if isSteady {
        steadyCount += 1
        #expect(history.count >= latency + count)
        #expect(history.suffix(latency + count).allSatisfy { $0 == chunk.values[0] })
      }
    }
    #expect(steadyCount > 10)
  }

  @Test func `a line filled with one value is steady from the first chunk on`() {
    var steady = SteadyCeiling()
    var ceilings = [Float](repeating: 0, count: 8)
    steady.begin(0.5, frameCount: 100)
    #expect(
      steady.take(ParameterSignal(constant: 0.5), from: 0, into: &ceilings, count: 8, latency: 100))
    steady.begin(0.5, frameCount: 99)
    #expect(
      !steady.take(
        ParameterSignal(constant: 0.5), from: 0, into: &ceilings, count: 8, latency: 100))
  }
}
