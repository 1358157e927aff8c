import FxGoldens
import Testing

@Suite struct CasePathTests {
  private func testCase(_ expectation: TestCase.Expectation) -> TestCase {
    TestCase(name: "voice", file: "voice.test.json", chain: "voice.json", expectation: expectation)
  }

  @Test func `a manifest lies beside the sound`() {
    #expect(testCase(.sound("a.b/voice.wav")).manifestPath == "a.b/voice.golden.json")
    #expect(testCase(.sound("a.b/voice")).manifestPath == "a.b/voice.golden.json")
    #expect(testCase(.manifest("voice.json")).manifestPath == "voice.json")
  }

  @Test func `outputs other than the main one have their name before the ending`() {
    let voice = testCase(.sound("golden/voice.wav"))
    #expect(voice.soundPath(ofOutput: "main") == "golden/voice.wav")
    #expect(voice.soundPath(ofOutput: "low") == "golden/voice.low.wav")
    #expect(testCase(.manifest("voice.json")).soundPath(ofOutput: "main") == nil)
  }
}
