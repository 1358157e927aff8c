import Foundation
@testable import FxChecks
import Testing

@Suite struct ReportPageTests {
  private let folder = CaseFolder()

  private func chain(_ frequency: String) -> String {
    """
    { "version": 1, "nodes": { "in": { "source": "main" },
      "low <b>": { "unit": "lowPass", "parameters": { "frequency": "\(frequency)" } },
      "wet": { "unit": "reverb" }, "mix": { "unit": "mixer" }, "out": { "sink": "main" } },
      "connections": ["in -> low -> mix", "low -> wet -> mix", "mix -> out"], "tail": "0.1 s" }
    """.replacing("low <b>")
  }

  @Test func `a page needs no other file, and a name cannot break it`() throws {
    let then = try folder.rendering(chain("1 kHz"))
    let now = try folder.rendering(chain("900 Hz"))
    let comparison = Comparison(
      expected: then.outputs[0].sound, actual: now.outputs[0].sound)
    let report = DifferenceReport(
      title: "a <script> & \"b\"", lines: comparison.lines,
      outputs: [
        .init(
          name: "main", expected: then.outputs[0].sound, actual: now.outputs[0].sound,
          comparison: comparison)
      ],
      nodes: .init(
        then: then.fingerprints, now: now.fingerprints,
        divergences: now.fingerprints.divergences(from: then.fingerprints)))
    let html = report.html
    #expect(!html.contains("<script"))
    #expect(html.contains("a &lt;script&gt; &amp; &quot;b&quot;"))
    #expect(!html.contains("://"))
    #expect(html.contains("differs from here on"))
    #expect(html.utf8.count < 1_500_000)
    if let path = ProcessInfo.processInfo.environment["FXRUN_REPORT"] { try report.write(to: path) }
  }
}

extension String {
  fileprivate func replacing(_ name: String) -> String {
    split(separator: name, omittingEmptySubsequences: false).joined(separator: "low")
  }
}
