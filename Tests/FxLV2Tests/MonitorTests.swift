import FxAudio
import FxLV2
import Testing

/// What a plugin says of its latency while it runs, and how it is restarted.
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
  func `nonsense is no latency, and ten seconds are the most`(
    _ report: Double, _ expected: Int
  ) throws {
    let unit = try fixture("latency").made(["report": report])
    _ = unit.render([[0, 0, 0]], ["report": report])
    #expect(unit.monitor?.latency == expected)
  }

  @Test func `of several voices the latest counts`() throws {
    let unit = try fixture("latency").made(width: 2, ["length": 5])
    _ = unit.render([[0, 0], [0, 0]], ["length": 9])
    #expect(unit.monitor?.latency == 9)
  }

  @Test func `a restart makes a plugin forget`() throws {
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
