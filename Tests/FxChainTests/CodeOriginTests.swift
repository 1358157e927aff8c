import FxAudio
@testable import FxChain
import FxPlaying
import FxTestSupport
import Testing

/// Messages about a text that code made.
struct CodeOriginTests {
  private let site = CallSite(file: "Studio/Voice.swift", line: 12)

  private func diagnostics(_ text: String, _ code: CodeOrigin) -> [Diagnostic] {
    ChainReader.read(bytes: Array(text.utf8), path: "a.json", endpoints: .all, code: code)
      .diagnostics.all
  }

  @Test func `the smallest part that code made gives the place`() throws {
    var code = CodeOrigin()
    code.sites = ["/chain/1": site, "/chain/10": CallSite(file: "x", line: 1)]
    let text = #"{ "version": 2, "chain": [{ "x": 1 }, { "unit": "gain", "wet": [] }] }"#
    let found = diagnostics(text, code)
    #expect(found.map(\.file) == ["a.json", "Studio/Voice.swift"])
    #expect(found.map(\.line) == [1, 12])
    #expect(found[0].column != nil && found[0].length != nil)
    #expect(found[1].column == nil && found[1].length == nil)
    #expect(found[1].path == "/chain/1/wet")
    #expect(found[1].text().hasPrefix("Studio/Voice.swift:12: error: 'wet' is"))
  }

  @Test func `mistakes of the code are reported beside those of the text`() {
    var code = CodeOrigin()
    code.mistakes = [Diagnostic(.duplicateName, "a node is called 'a' already", site: site)]
    let found = diagnostics(#"{ "version": 2, "chain": [1] }"#, code)
    #expect(found.map(\.code) == [.wrongType, .duplicateName])
    #expect(found[1].text() == "Studio/Voice.swift:12: error: a node is called 'a' already\n")
    #expect(found[1].path == nil)
  }
}
