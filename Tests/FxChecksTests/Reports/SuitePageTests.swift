import FxAudio
@testable import FxChecks
import FxKit
import Testing

@Suite struct SuitePageTests {
  @Test func `cases that do not pass come first, with links to existing files`() throws {
    let folder = CaseFolder()
    try WholeFile.write("", to: "\(folder.path)/odd name-ä#.html")
    var differs = result(.differs)
    differs.verdict.environment = [
      .init(.plugin, node: "fx", "the plugin of 'fx' is another build")
    ]
    let html = SuitePage(
      [suiteCase("good"), suiteCase("odd name/ä#"), suiteCase("late")],
      [result(.passed), differs, nil], folder: folder.path
    ).html
    let order = [
      "1 with another sound or cost, 1 passed, 1 not run", "<h2>odd name/ä#</h2>",
      "another build", "href=\"./odd%20name-%C3%A4%23.html\"", "<h2>Passed</h2>", ">good</th>",
      "<h2>Not run</h2>", ">late</th>",
    ]
    var rest = html[...]
    for words in order {
      let found = try #require(rest.firstRange(of: words), "\(words) in \(html)")
      rest = rest[found.upperBound...]
    }
    // There is no sound file.
    #expect(!html.contains(".wav"))
  }

  @Test func `names are text and nothing is fetched`() {
    let failure = ChainFailure(.plugin, code: .crashed, "<script>alert(1)</script>\n  a\n    ^")
    let html = SuitePage([suiteCase("<b>")], [result(.failed(failure))], folder: "/none").html
    #expect(html.contains("&lt;b&gt;") && html.contains("&lt;script&gt;"))
    #expect(!html.contains("<script") && !html.contains("<b>") && !html.contains("://"))
    #expect(html.contains("<strong>Failed</strong>") && html.contains("<pre>  a\n    ^</pre>"))
  }

  @Test func `a suite without failures says so`() {
    let html = SuitePage([suiteCase("a")], [result(.passed)], folder: "/none").html
    #expect(html.contains("<h1>1 case</h1>") && html.contains("<strong>Passed</strong> 1 passed."))
    let stopped = SuitePage([suiteCase("a")], [nil], folder: "/none").html
    #expect(stopped.contains("1 not run") && !stopped.contains("<strong>Passed</strong>"))
  }

  /// A page with a case of each outcome.
  static func page() -> SuitePage {
    let failure = ChainFailure(
      .chain, code: .chain,
      "a.json:3:13: error: unit 'gain' has no key 'paramters'\n"
        + String(repeating: "  { \"unit\": \"gain\" },", count: 20) + "\n  ^~~~\n1 error")
    var differs = result(.differs)
    differs.verdict.environment = [.init(.chain, node: "fx", "fx.gain is -5.9, was -6")]
    return SuitePage(
      ["failed", "differs", "new", "passed", "late"].map(suiteCase),
      [result(.failed(failure)), differs, result(.new), result(.passed), nil], folder: "/none")
  }

  private static func suiteCase(_ name: String) -> SuiteCase {
    SuiteCase(
      label: name,
      testCase: TestCase(
        name: name, file: "a.test.json", chain: "a.json", expectation: .sound("a.wav")))
  }

  private static func result(_ outcome: CaseVerdict.Outcome) -> SuiteResult {
    SuiteResult(verdict: CaseVerdict(name: "a", outcome: outcome))
  }

  private func suiteCase(_ name: String) -> SuiteCase { Self.suiteCase(name) }
  private func result(_ outcome: CaseVerdict.Outcome) -> SuiteResult { Self.result(outcome) }
}
