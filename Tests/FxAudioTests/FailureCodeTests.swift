@testable import FxAudio
import Testing

/// The codes of failures, which programs read.
@Suite struct FailureCodeTests {
  @Test(arguments: FailureCode.allCases)
  func `a code has words with hyphens and a sentence`(_ code: FailureCode) {
    #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
    #expect(code.summary.hasSuffix(".") && code.summary.count > 10)
  }

  @Test func `no two codes have the same sentence`() {
    let sentences = Set(FailureCode.allCases.map(\.summary))
    #expect(sentences.count == FailureCode.allCases.count)
  }
}
