import FxAudio
@testable import FxLV2
import Testing

/// The latency that a plugin reports while it runs, and its restart.
@Suite struct MonitorTests {
  @Test func `a plugin without a latency port has no monitor`() throws {
    #expect(try fixture("gain").made().monitor == nil)
  }

  @Test func `the latency of the last block is reported`() throws {
    let unit = try fixture("latency").made(["length": 100])
    let monitor = try #require(unit.monitor)
    #expect(monitor.latency == 100)
    let block = [[Float](repeating: 0, count: 64)]
    _ = unit.render(block, ["length": 100])
    #expect(monitor.latency == 100)
    _ = unit.render(block, ["length": 777])
    #expect(monitor.latency == 777)
    _ = unit.render(block, ["length": 0])
    #expect(monitor.latency == 0)
  }

  @Test(arguments: [(1.0, 0), (2, 0), (3, 480_000)])
  func `an invalid latency is ignored, and ten seconds are the limit`(
    _ report: Double, _ expected: Int
  ) throws {
    let unit = try fixture("latency").made(["report": report])
    _ = unit.render([[0, 0, 0]], ["report": report])
    #expect(unit.monitor?.latency == expected)
  }

  @Test func `of several instances the largest latency counts`() throws {
    let unit = try fixture("latency").made(width: 2, ["length": 5])
    _ = unit.render([[0, 0], [0, 0]], ["length": 9])
    #expect(unit.monitor?.latency == 9)
  }

  @Test func `a restart clears a plugin's memory`() throws {
    let values: [String: Double] = ["after": 3, "times": 1]
    let unit = try fixture("nan").made(values)
    let input = [[Float]](repeating: [1, 2, 3, 4, 5], count: 1)
    #expect(unit.render(input, values)[0][3].isNaN)
    #expect(unit.render(input, values)[0][0].isNaN)
    let restart = try #require(unit.restart)
    restart()
    #expect(unit.render(input, values) == input)
  }
}
