@testable import FxKit
import FxTestSupport
import Synchronization
import Testing

/// Filters that follow one another run in one pass. The pass gives the same bits as the filters
/// rendered one after another, each in its own chain.
@Suite struct JoinedFiltersTests {
  private static let rate = 48000.0

  private func render(
    _ nodes: [String], automation: String = "", _ input: [[Float]], blockSize: Int
  ) throws -> [[Float]] {
    let chain = Chain(
      json: """
        { "version": 1, "tail": "none", "chain": [\(nodes.joined(separator: ", "))],
          "automation": [\(automation)] }
        """)
    let position = Mutex(0)
    let output = SampleCollector()
    var request = RenderRequest()
    request.blockSize = blockSize
    request.sampleInputs["main"] = .pull(
      SampleFormat(sampleRate: Self.rate, channels: input.count)
    ) { frames in
      position.withLock { start in
        let end = min(input[0].count, start + frames)
        defer { start = end }
        return input.map { Array($0[start..<end]) }
      }
    }
    request.sampleOutputs["main"] = .push { channels, _ in output.add(channels) }
    _ = try chain.render(request)
    return output.samples
  }

  /// Noise, silence in which the filters come to rest, and noise again.
  private func sound(channels: Int) -> [[Float]] {
    (0..<channels).map { channel in
      noise(6000, seed: UInt64(channel + 1)) + [Float](repeating: 0, count: 9000)
        + noise(5000, seed: UInt64(channel + 9))
    }
  }

  private func filter(_ unit: String, _ frequency: Int, _ more: String = "") -> String {
    #"{ "unit": "\#(unit)", "parameters": { "frequency": \#(frequency)\#(more) } }"#
  }

  private var graphic: String {
    let bands = (0..<10).map {
      #"{ "type": "peak", "frequency": \#(31 << $0), "gain": \#($0 % 2 == 0 ? 6 : -6) }"#
    }
    return #"{ "unit": "equalizer", "bands": [\#(bands.joined(separator: ", "))] }"#
  }

  private var rows: [[String]] {
    [
      [filter("highPass", 80), graphic],
      [filter("highPass", 80), filter("lowShelf", 200, #", "gain": 3"#), filter("lowPass", 9000)],
      [
        filter("notch", 50), filter("notch", 100), filter("notch", 150), filter("peak", 3000),
        filter("highShelf", 8000, #", "gain": -4"#), filter("lowPass", 15000),
        filter("allPass", 700), graphic,
      ],
      [graphic, filter("highPass", 20), graphic],
    ]
  }

  @Test(arguments: 0..<4, [1, 2, 3])
  func `joined filters give the same bits as single filters`(_ row: Int, _ channels: Int) throws {
    let input = sound(channels: channels)
    for blockSize in [64, 1000, 8192] {
      var expected = input
      for node in rows[row] { expected = try render([node], expected, blockSize: blockSize) }
      let output = try render(rows[row], input, blockSize: blockSize)
      #expect(output == expected, "blocks of \(blockSize)")
    }
  }

  @Test(arguments: ["first", "second", "third"])
  func `a filter whose frequency moves gives the same bits as a single filter`(_ moving: String)
    throws
  {
    let input = sound(channels: 2)
    let nodes = ["first", "second", "third"].enumerated().map { index, id in
      #"{ "id": "\#(id)", "unit": "peak", "parameters": { "frequency": \#(300 << index), "gain": 9 } }"#
    }
    func line(_ id: String) -> String {
      #"{ "parameter": "\#(id).frequency", "points": [[0.05, 300], [0.11, 3000], [0.33, 500]] }"#
    }
    for blockSize in [64, 1024] {
      var expected = input
      for (index, id) in ["first", "second", "third"].enumerated() {
        expected = try render(
          [nodes[index]], automation: id == moving ? line(id) : "", expected,
          blockSize: blockSize)
      }
      let output = try render(nodes, automation: line(moving), input, blockSize: blockSize)
      #expect(output == expected, "blocks of \(blockSize)")
    }
  }

  @Test func `an equalizer that overflows is reported the same when joined and alone`() throws {
    // Ten bands of 48 dB raise 1 kHz by 480 dB: samples of 1e18 exceed the largest float.
    let bands = [String](
      repeating: #"{ "type": "peak", "frequency": 1000, "gain": 48, "q": 0.5 }"#, count: 10)
    let loud = #"{ "unit": "equalizer", "bands": [\#(bands.joined(separator: ", "))] }"#
    var input = sound(channels: 2)
    for frame in 2000..<2300 { input[0][frame] *= 1e18 }
    let first = filter("highPass", 80)
    let heard = try render([first], input, blockSize: 256)
    let apart = failure { _ = try render([loud], heard, blockSize: 256) }
    #expect(apart?.description.contains("infinite sample at 0:00.0") == true)
    let joined = failure { _ = try render([first, loud], input, blockSize: 256) }
    #expect(joined?.description == apart?.description)
  }
}
