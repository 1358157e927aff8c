import FxAudio
@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// The one walk over chunks.
struct ChunksTests {
  private func walk(_ bytes: [UInt8], _ format: Chunks.Format) throws -> [String] {
    var chunks = Chunks(HeaderBytes(bytes), format, from: 0)
    var found: [String] = []
    while let chunk = try chunks.next() {
      found.append("\(chunk.id) \(chunk.content) \(chunk.size)")
    }
    return found
  }

  @Test func `each format has its own heads, sizes and padding`() throws {
    let code = [UInt8](repeating: 0, count: 12)
    func little(_ value: Int, _ width: Int) -> [UInt8] { FilePatch.little(0, value, width).bytes }
    func big(_ value: Int, _ width: Int) -> [UInt8] { FilePatch.big(0, value, width).bytes }
    let (a, b) = (Array("abcd".utf8), Array("efgh".utf8))
    let content: [UInt8] = [1, 2, 3]
    let riff = [a, little(3, 4), content, [0], b, little(0, 4)].flatMap(\.self)
    #expect(try walk(riff, .riff(isBig: false)) == ["abcd 8 3", "efgh 20 0"])
    let aiff = [a, big(3, 4), content, [0], b, big(9, 4)].flatMap(\.self)
    #expect(try walk(aiff, .riff(isBig: true)) == ["abcd 8 3", "efgh 20 9"])
    let caf = [a, big(3, 8), content, b, big(0, 8)].flatMap(\.self)
    #expect(try walk(caf, .caf) == ["abcd 12 3", "efgh 27 0"])
    let padding: [UInt8] = [0, 0, 0, 0, 0]
    let w64 = [a, code, little(27, 8), content, padding, b, code, little(24, 8)].flatMap(\.self)
    #expect(try walk(w64, .w64) == ["abcd 24 3", "efgh 56 0"])
  }

  @Test func `a size that is no size is damaged, and a walk over zeros ends`() throws {
    let name = Array("abcd".utf8)
    for size in [-1, Int.max, Int.min, Int.max - 12] {
      let bytes = name + FilePatch.big(0, size, 8).bytes + [0]
      #expect(ioError { _ = try walk(bytes, .caf) }?.code == .damaged)
    }
    #expect(try walk(name + FilePatch.big(0, 1 << 60, 8).bytes, .caf) == ["abcd 12 \(1 << 60)"])
    let zeros = [UInt8](repeating: 0, count: 1 << 16)
    #expect(ioError { _ = try walk(zeros, .riff(isBig: false)) }?.message.contains("4096") == true)
  }
}
