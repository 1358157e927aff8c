import FxAudio
@testable import FxLV2
import Glibc
import Testing

/// In their own processes, because they check descriptor 1.
@Suite struct StandardOutputTests {
  @Test func `text that a plugin prints while it is made does not reach standard output`()
    async throws
  {
    let path = FixtureBundles.searchPath
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) { [path = path as String] in
      let world = LV2World(searchPath: path)
      print("before")
      _ = try fixture("rude", in: world).made()
      print("after")
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("before") && output.contains("after"))
    #expect(!output.contains("rude:"))
    #expect(errors.contains("rude: using block size"))
  }

  @Test func `reserved standard output carries nothing but what is written to it`() async throws {
    let result = try await #require(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      let descriptor = try #require(StandardOutput.reserve())
      print("a plugin in its run")
      #expect(write(descriptor, "audio", 5) == 5)
    }
    let output = String(decoding: result.standardOutputContent, as: UTF8.self)
    let errors = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(output.contains("audio"))
    #expect(!output.contains("a plugin in its run"))
    #expect(errors.contains("a plugin in its run"))
  }
}
