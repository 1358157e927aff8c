import FxAudio
@testable import FxLV2
import FxTestSupport
import Testing

/// Plugins that follow the tempo.
@Suite struct MusicalTimeTests {
  private let silence = [Float](repeating: 0, count: 1000)

  /// A second tempo from frame 480 on, and a third from 720 on.
  private func map() throws -> TempoMap {
    var problem = 0
    return try #require(
      TempoMap.make(
        [
          TempoMap.Point(.seconds(0), tempo: 60), TempoMap.Point(.seconds(0.01), tempo: 120),
          TempoMap.Point(.seconds(0.015), tempo: 90),
        ], problem: &problem))
  }

  private let tempos: [Float] = (0..<1000).map { $0 < 480 ? 60 : $0 < 720 ? 120 : 90 }

  @Test(arguments: [7, 64, 256, 1000])
  func `a change of tempo is sent at its frame`(_ block: Int) throws {
    let unit = try fixture("time").made(maximum: 1000) { $0.tempo = 60 }
    let output = unit.render([silence], outputs: 3, block: block, tempo: try map())
    #expect(output[0] == (0..<1000).map(Float.init))
    #expect(output[1] == tempos)
    #expect(unit.reading("count") == 3)
    // 480 frames at 60, 240 at 120.
    #expect(abs(output[2][720] - 0.02) < 1e-6)
  }

  @Test func `changes that do not fit into a run come with the next run`() throws {
    var problem = 0
    // Ten changes within the first 500 frames, 60 to 150 bpm, which a run's four positions do not hold.
    let points = (0..<10).map {
      TempoMap.Point(.seconds(Double($0) * 0.001), tempo: Double($0) * 10 + 60)
    }
    let map = try #require(TempoMap.make(points, problem: &problem))
    let unit = try fixture("time").made(maximum: 500) { $0.tempo = 60 }
    let output = unit.render([silence], outputs: 3, block: 500, tempo: map)
    #expect(output[1][0] == 60 && output[1][48] == 70)
    #expect(output[1][500...].allSatisfy { $0 == 150 })
  }

  @Test(arguments: [7, 64, 256, 1000])
  func `designated ports follow the tempo to the frame`(_ block: Int) throws {
    let unit = try fixture("follows").made(maximum: 1000) { $0.tempo = 60 }
    let output = unit.render([silence], outputs: 2, block: block, tempo: try map())
    #expect(output[0] == tempos)
    #expect(output[1][0] == 0 && output[1][480] == 0.01 && output[1][720] == 0.02)
  }

  @Test func `a port that the chain sets does not follow`() throws {
    let unit = try fixture("follows").made {
      $0.tempo = 60
      $0.setup.setParameters = ["host_tempo"]
    }
    let output = unit.render([silence], outputs: 2, tempo: try map())
    #expect(output[0].allSatisfy { $0 == 99 })
    let moved = try fixture("follows").made { $0.tempo = 60 }
    // A change while it runs takes precedence as well.
    let set = moved.render([silence], outputs: 2, ["host_tempo": 77], tempo: try map())
    #expect(set[0].allSatisfy { $0 == 77 })
  }

  @Test func `without a tempo a port keeps its default`() throws {
    let output = try fixture("follows").made().render([silence], outputs: 2)
    #expect(output[0].allSatisfy { $0 == 99 })
  }

  @Test(arguments: ["time", "follows"])
  func `a plugin in a process of its own follows the same frames`(_ name: String) throws {
    let input = [Float](repeating: 0, count: 1024)
    let near = try fixture(name).made(maximum: 128) { $0.tempo = 60 }
    let far = try fixture(name, in: IsolationTests.world()).made(maximum: 128, isolated: true) {
      $0.tempo = 60
    }
    let (outputs, map) = (name == "time" ? 3 : 2, try map())
    let expected = near.render([input], outputs: outputs, block: 128, tempo: map)
    let rendered = far.render([input], outputs: outputs, block: 50, tempo: map)
    for channel in 0..<outputs {
      #expect(rendered[channel] == IsolationTests.delayed(expected[channel], by: 128))
    }
  }
}
