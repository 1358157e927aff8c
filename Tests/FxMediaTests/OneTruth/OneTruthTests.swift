@testable import FxMedia
import FxSoundTestSupport
import FxTestSupport
import Testing

/// The frames of a sound are the same for every reader of its bytes, or a warning names the loss.
struct OneTruthTests {
  private let folder = TemporaryFolder()

  private func contradictions(_ made: [SoundMaker.Made]) -> [String] {
    made.enumerated().flatMap { number, sound in
      let path = folder.write("\(number).\(sound.format)", sound.bytes)
      return Readings.contradictions(path, least: sound.least).map { "\(sound.name): \($0)" }
    }
  }

  @Test func `every format has the same frames for every reader`() throws {
    var maker = SoundMaker(seed: 1)
    let found = contradictions(try maker.singles())
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }

  @Test func `joined sounds have the same frames for every reader`() throws {
    var maker = SoundMaker(seed: 2)
    let found = contradictions(try maker.joins(mixedCount: 60))
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }

  @Test func `sounds between other bytes have the same frames for every reader`() throws {
    var maker = SoundMaker(seed: 3)
    let found = contradictions(try maker.surroundings())
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }

  @Test func `headers that lie give the same frames for every reader, or a warning`() throws {
    var maker = SoundMaker(seed: 4)
    let found = contradictions(try maker.lies())
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }
}
