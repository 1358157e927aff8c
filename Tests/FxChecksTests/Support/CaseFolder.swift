import Foundation
package import FxChecks
import FxTestSupport
import FxUnits

/// A folder of chains for the time of a test.
package final class CaseFolder {
  private let folder = TemporaryFolder()

  package init() {}

  package var path: String { folder.path }

  /// A case of a chain's text: 50 ms of noise, in which every difference shows at once.
  package func testCase(_ chain: String, name: String = "chain") throws -> TestCase {
    let file = "\(path)/\(name).json"
    try chain.write(toFile: file, atomically: true, encoding: .utf8)
    var testCase = TestCase(
      name: name, file: "\(path)/\(name).test.json", chain: file,
      expectation: .sound("\(path)/golden/\(name).wav"))
    testCase.inputs = ["main": .signal(TestSignal(.noise))]
    testCase.duration = 0.05
    return testCase
  }

  /// The output of a chain, with the fingerprints of its nodes.
  package func rendering(_ chain: String, blockSize: Int? = nil) throws -> CaseRendering {
    var options = CaseRendering.Options()
    options.wantsFingerprints = true
    options.blockSize = blockSize
    return try CaseRendering(testCase(chain), options)
  }
}
