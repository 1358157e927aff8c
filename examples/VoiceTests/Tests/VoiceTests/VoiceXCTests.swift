import FxKit
import FxTesting
import XCTest

/// The same from XCTest.
final class VoiceXCTests: XCTestCase {
  func testVoiceChainSoundsAsBefore() throws {
    let chain = try Chain("../../Chains/voice.json")
    expect(try chain.rendering(.programme, seconds: 0.5, channels: 1), matches: .golden("voice"))
  }

  func testSilenceStaysSilent() throws {
    let rendering = try Chain("../../Chains/voice.json").rendering(.silence, seconds: 0.1)
    XCTAssertTrue(rendering.samples.allSatisfy { $0.allSatisfy { $0 == 0 } })
  }
}
