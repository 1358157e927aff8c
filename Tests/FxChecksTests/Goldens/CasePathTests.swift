@testable import FxChecks
import Testing

@Suite struct CasePathTests {
  private func testCase(_ expectation: TestCase.Expectation) -> TestCase {
    TestCase(name: "voice", file: "voice.test.json", chain: "voice.json", expectation: expectation)
  }

  @Test func `a manifest is in the same folder as the sound`() {
    #expect(testCase(.sound("a.b/voice.wav")).manifestPath == "a.b/voice.golden.json")
    #expect(testCase(.sound("a.b/voice")).manifestPath == "a.b/voice.golden.json")
    #expect(testCase(.manifest("voice.json")).manifestPath == "voice.json")
  }

  @Test func `file names of other outputs have the output's name before the extension`() {
    let voice = testCase(.sound("golden/voice.wav"))
    #expect(voice.soundPath(ofOutput: "main") == "golden/voice.wav")
    #expect(voice.soundPath(ofOutput: "low") == "golden/voice.low.wav")
    #expect(testCase(.manifest("voice.json")).soundPath(ofOutput: "main") == nil)
  }
}
