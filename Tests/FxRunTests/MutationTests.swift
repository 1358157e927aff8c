import Foundation
import FxTestSupport
import Testing

/// Changes of chains and plugins that `fxrun test` must catch and explain; see
/// Tests/Mutations/README.md. A few run here, all with `scripts/mutate-goldens`.
@Suite struct MutationTests {
  private static let isPossible =
    ProcessInfo.processInfo.environment["FXRUN_BINARY"] != nil
    && ["/usr/bin/python3", "/usr/bin/cc"].allSatisfy(FileManager.default.isExecutableFile)

  @Test(
    .enabled(if: isPossible, "FXRUN_BINARY names no release build, or Python or cc is missing"))
  func `mutations are caught and explained`() throws {
    let outcome = try mutate("--seed", "5", "--count", "20", "--quiet")
    #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errorText)")
    #expect(outcome.text.contains("20 of 20 caught, cause right 20"))
  }

  @Test(
    .enabled(if: isPossible, "FXRUN_BINARY names no release build, or Python or cc is missing"))
  func `unchanged chains pass on a busy machine`() throws {
    let outcome = try mutate("--repeat", "2")
    #expect(outcome.exitCode == 0, "\(outcome.text)\(outcome.errorText)")
    #expect(outcome.text.contains("0 false alarms in 2 runs"))
  }

  private func mutate(_ arguments: String...) throws -> Program.Outcome {
    let folder = Folder()
    return try Program.run(
      ["\(Fixture.repository)/Tests/Mutations", "--jobs", "2", "--folder", "\(folder.path)/work"]
        + arguments,
      executable: "/usr/bin/python3", in: folder.path,
      environment: ["FXRUN_BINARY": Program.path, "PYTHONDONTWRITEBYTECODE": "1"], limit: 600)
  }
}
