@testable import FxAudio
import Testing

@Suite struct `A selection of channels` {
  private func channels(_ text: String, _ layout: ChannelLayout) throws -> [Int] {
    try #require(ChannelSelection(text)).resolved(in: layout).channels
  }

  @Test func `finds channels by name and by number`() throws {
    #expect(try channels("FL", .usual(2)) == [0])
    #expect(try channels("fr FL", .usual(2)) == [0, 1])
    #expect(try channels("FC LFE 6", .usual(6)) == [2, 3, 5])
    #expect(try channels("3", .discrete(3)) == [2])
  }

  @Test func `uses the usual names where the channels have none`() throws {
    #expect(try channels("FR", .discrete(2)) == [1])
    #expect(try channels("FR", .discrete(3)) == [])
  }

  @Test func `takes the back for the sides where there is one pair`() throws {
    #expect(try channels("SL SR", .usual(6)) == [4, 5])
    #expect(try channels("BL SL", .usual(8)) == [4, 6])
  }

  @Test func `takes both sides for a mono signal`() throws {
    #expect(try channels("FL FR", .usual(1)) == [0])
    #expect(try channels("FC", .usual(1)) == [0])
    #expect(try channels("FL", .usual(1)) == [])
    #expect(try channels("1", .usual(1)) == [0])
  }

  @Test func `names the channels that are missing`() throws {
    let missing = try #require(ChannelSelection("FL LFE? 9")).resolved(in: .usual(2)).missing
    #expect(missing.map(\.member.label) == ["LFE", "9"])
    #expect(missing.map(\.mayBeMissing) == [true, false])
  }

  @Test(arguments: ["", " ", "?", "XX", "0", "-1", "FL,FR", "257", "99999999999999999999"])
  func `refuses`(_ text: String) {
    #expect(ChannelSelection(text) == nil)
  }
}
