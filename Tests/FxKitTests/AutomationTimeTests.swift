import FxChain
@testable import FxKit
import FxTestSupport
import Testing

/// Automation in a render that begins in the middle of the input, and fades to silence.
@Suite struct AutomationTimeTests {
  private let folder: TemporaryFolder
  private var request: RenderRequest

  init() throws {
    folder = TemporaryFolder()
    request = RenderRequest(
      input: try folder.writeSound("in.wav", [Float](repeating: 0.5, count: 44100)),
      output: folder.file("out.wav"))
    request.start = 0.5
  }

  private func chain(_ points: String, _ more: String = "") -> Chain {
    Chain(
      json: """
        { "version": 1, "tail": "none", "chain": [ { "id": "fade", "unit": "gain" } ],
          "automation": [ { "parameter": "fade.gain", "points": [ \(points) ]\(more) } ] }
        """)
  }

  private let fadeOut = #"[0, "0 dB"], [0.1, "-inf dB", "linear"]"#

  @Test func `a fade that ends before the render begins is reported`() throws {
    let job = try RenderJob(chain(fadeOut), request)
    #expect(job.diagnostics.all.map(\.code.rawValue) == ["automation-time"])
    #expect(
      job.diagnostics.all.first?.message
        == "the render begins at 0.5 s, and the automation of 'fade.gain' counts from the start of the input"
    )
    #expect(try job.render().outputs.first?.peak == 0)
    var whole = request
    whole.start = 0
    #expect(try RenderJob(chain(fadeOut), whole).diagnostics.isEmpty)
    #expect(try RenderJob(chain(#"[0, "-3 dB"]"#), request).diagnostics.isEmpty)
  }

  @Test func `a fade from the start of the render begins there`() throws {
    let job = try RenderJob(chain(fadeOut, #", "time": "start""#), request)
    #expect(job.diagnostics.isEmpty)
    #expect(try job.render().outputs.first?.peak == 0.5)
    let fadeIn = #"[0, "-inf dB"], [0.25, "0 dB", "linear"]"#
    var short = request
    short.duration = 0.125
    let summary = try chain(fadeIn, #", "time": "start""#).render(short)
    // Half the amplitude at the end, and nothing louder before.
    #expect(abs((summary.outputs.first?.peak ?? 0) - 0.25) < 1e-4)
  }

  @Test func `a linear fade to silence is linear in amplitude`() throws {
    let input = [[Float](repeating: 1, count: 48000)]
    let renderer = try ChainRenderer(
      chain(#"[0, "0 dB"], [1, "-inf dB", "linear"]"#), channels: 1)
    let output = try renderer.renderWhole(input)[0]
    for (frame, expected) in [(0, 1.0), (12000, 0.75), (24000, 0.5), (36000, 0.25)] {
      #expect(abs(Double(output[frame]) - expected) < 1e-4)
    }
    #expect(output[47999] < 1e-4)
    let back = try ChainRenderer(
      chain(#"[0, "-inf dB"], [1, "0 dB", "linear"]"#), channels: 1)
    #expect(abs(try back.renderWhole(input)[0][24000] - 0.5) < 1e-4)
  }

  @Test func `an unknown time base is refused`() {
    #expect(chain(fadeOut, #", "time": "later""#).check().map(\.code) == ["not-a-choice"])
  }
}
