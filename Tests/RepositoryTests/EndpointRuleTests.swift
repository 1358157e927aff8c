import Foundation
import Testing

/// A kind of source or sink is known in its own file alone.
@Suite struct EndpointRuleTests {
  /// Asks for the class of a source or a sink, or names a kind's key.
  private static func namesKind(_ line: String, _ keys: [String]) -> Bool {
    let isCode = !line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
    let asksForClass =
      line.firstMatch(of: /\b(is|as[?!]?) (any )?[A-Z][A-Za-z]*(Source|Sink)\b/) != nil
      && line.firstMatch(of: /\bas any Audio(Source|Sink)\b/) == nil
    return isCode && (asksForClass || keys.contains { line.contains("\"\($0)\"") })
  }

  @Test func `no file asks for the class of a source, or names a device outside its kind`() throws {
    for source in try Repository.sources(under: "Sources")
    where !source.path.hasPrefix("Sources/FxPlaying/Kinds/")
      // Written from the kinds by NodeSourceTests.
      && !source.path.hasPrefix("Sources/FxNodes/Endpoints/")
      // Words of another program.
      && !source.path.hasPrefix("Sources/FxImport/Ecasound/")
    {
      for line in source.lines where Self.namesKind(line, ["alsa"]) {
        Issue.record("\(source.path): \(line)")
      }
    }
  }

  @Test func `a seeded question for a class or a kind is found`() {
    #expect(Self.namesKind("    let looped = source as? LoopedSource", []))
    #expect(Self.namesKind("    guard !(source is NullSource) else { return }", []))
    #expect(Self.namesKind(#"    if endpoint.kind == "alsa" {"#, ["alsa"]))
    #expect(!Self.namesKind("    // what is LoopedSource", []))
    #expect(!Self.namesKind("    func open() -> any AudioSource {", []))
  }
}
