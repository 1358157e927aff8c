@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Glibc
import Testing

struct ByteDrainTests {
  private let folder = TemporaryFolder()

  /// A file that is written, read and rewritten at random places, compared with bytes in memory.
  @Test(arguments: UInt64(0)..<6)
  func `bytes written at any place are in the file`(_ seed: UInt64) {
    let path = folder.file("a")
    let descriptor = open(path, O_RDWR | O_CREAT, 0o600)
    var random = SeededRandom(seed)
    var expected: [UInt8] = []
    var place = 0
    do {
      let drain = ByteDrain(descriptor: descriptor, name: path, isOwner: true)
      for step in 0..<30 {
        let count = [1, 44, 4096, 70_000, 600_000][Int.random(in: 0..<5, using: &random)]
        let bytes = [UInt8](repeating: UInt8(step), count: count)
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
          place = Int.random(in: 0...expected.count, using: &random)
          #expect(drain.seek(place, SEEK_SET) == place)
        case 1:
          var read = [UInt8](repeating: 0, count: 100)
          let count = drain.read(&read, read.count)
          #expect(read.prefix(count).elementsEqual(expected[place...].prefix(100)))
          place += count
        case 2: #expect(drain.flush())
        case 3..<6:
          guard let room = drain.room(bytes.count) else { continue }
          room.copyMemory(from: bytes, byteCount: bytes.count)
          drain.advance(bytes.count)
          expected.replaceSubrange(place..<min(place + bytes.count, expected.count), with: bytes)
          place += bytes.count
        default:
          #expect(drain.write(bytes))
          expected.replaceSubrange(place..<min(place + bytes.count, expected.count), with: bytes)
          place += bytes.count
        }
      }
      #expect(drain.flush())
      drain.trim()
    }
    #expect(contents(path) == expected)
  }
}
