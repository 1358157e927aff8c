import FxKit
@testable import FxRun
import FxTestSupport
import Testing

@Suite struct JobLineTests {
  private func lines(_ text: String) throws -> [BatchJobLine] {
    try BatchJobLine.all(Array(text.utf8), path: "jobs.jsonl")
  }

  @Test func `a line has the settings of its file`() throws {
    let found = try lines(
      """
      {"input":"a.wav"}

      {"input":"b.wav","output":"x/b.flac","id":7,"set":{"gain.gain":"-3 dB","eq.low":2.5},"define":{"who":"Ann"},"raw":"s16le,48000,2"}\r
      """)
    #expect(found.count == 2)
    #expect(found[0] == (try BatchJobLine(Array(#"{"input":"a.wav"}"#.utf8), place: "")))
    #expect(found[1].output == "x/b.flac")
    #expect(found[1].id == "7")
    #expect(
      found[1].settings == [.init("gain.gain", "-3 dB"), .init("eq.low", "2.5")])
    #expect(found[1].variables == ["who": "Ann"])
    #expect(found[1].raw == "s16le,48000,2")
  }

  @Test(arguments: [
    "{}", "[]", "7", "{\"input\":\"\"}", "{\"input\":7}", "{\"inptu\":\"a\"}", "{\"input\":\"a\"",
    "{\"input\":\"a\",\"input\":\"b\"}", "{\"input\":\"a\",\"set\":[]}",
    "{\"input\":\"a\",\"set\":{\"g\":null}}", "{\"input\":\"a\\u0000b\"}",
  ])
  func `a line with a mistake is reported by its number`(_ line: String) {
    #expect {
      _ = try lines("{\"input\":\"ok.wav\"}\n\(line)\n")
    } throws: { error in
      let failure = error as? ChainFailure
      return failure?.kind == .request && failure?.message.hasPrefix("jobs.jsonl:2: ") == true
    }
  }

  @Test func `a job without an output needs a template`() throws {
    let found = try lines(#"{"input":"a.wav","id":"x"}"#)
    #expect(throws: ChainFailure.self) { _ = try BatchPlan(found, nil) }
    #expect(try BatchPlan(found, BatchTemplate("{id}.wav")).jobs[0].output == "x.wav")
  }

  @Test func `damaged lines are read or refused, without a crash`() {
    let seed = Array(
      #"{"input":"b.wav","output":"x/b.flac","id":"7","set":{"g.gain":-3},"define":{"w":"A"}}"#.utf8
    )
    var refused = 0
    for bytes in Damage.variants(of: seed, count: 20_000) {
      do throws(ChainFailure) {
        _ = try BatchJobLine.all(bytes, path: "jobs")
      } catch {
        #expect(error.code == "bad-job")
        refused += 1
      }
    }
    #expect(refused > 10_000)
  }
}

/// Random changes of bytes, the same in each run.
enum Damage {
  static func variants(of seed: [UInt8], count: Int) -> some Sequence<[UInt8]> {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func random(_ limit: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(max(limit, 1)))
    }
    return (0..<count).lazy.map { _ in
      var bytes = seed
      for _ in 0...random(3) where !bytes.isEmpty {
        let place = random(bytes.count)
        switch random(5) {
        case 0: bytes[place] = UInt8(random(256))
        case 1: bytes.remove(at: place)
        case 2: bytes.insert(Array("{}[]\",:\\0\n".utf8)[random(10)], at: place)
        case 3: bytes.removeLast(bytes.count - place)
        default: bytes.append(contentsOf: bytes[place...])
        }
      }
      return bytes
    }
  }
}
