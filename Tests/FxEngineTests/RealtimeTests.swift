import Foundation
import FxTestSupport
import Testing

/// Renders under checkers that are loaded into the process: nothing may allocate, lock, enter the
/// kernel, count references or fault.
@Suite struct RealtimeTests {
  private let probe = BuiltProgram.folder.appending(path: "RealtimeProbe")

  @Test func `no render allocates, locks or enters the kernel`() throws {
    let checker = try Checker.realtimeSanitizer()
    let result = try checker.run(probe, [])
    #expect(result.status == 0, "\(result.text.prefix(3000))")
    #expect(result.text.contains("0 page faults"))
  }

  @Test func `an allocation in a render is caught`() throws {
    let result = try Checker.realtimeSanitizer().run(probe, ["--violate"])
    #expect(result.status == 43)
    #expect(result.text.contains("malloc"))
  }

  @Test func `units allocate what they declare`() throws {
    let result = try BuiltProgram.run(probe, ["--memory"])
    let rows = result.text.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.count > 60)
    for row in rows {
      let (declared, allocated) = (Int(row[2]) ?? -1, Int(row[3]) ?? -1)
      // An allocation is up to a page larger than was asked for, and an instance has its own object.
      #expect(declared >= 0 && abs(allocated - declared) < 32768 + declared / 50, "\(row)")
    }
  }

  @Test func `freed memory stays in the process until the last performance gives it back`() throws {
    let result = try BuiltProgram.run(probe, ["--freed"])
    #expect(result.text == "goes stays stays goes\n")
  }

  @Test func `no render counts references`() throws {
    let result = try Checker.referenceCounts().run(probe, [])
    #expect(result.status == 0)
    #expect(!result.text.contains("retains"), "\(result.text.prefix(3000))")
  }

  @Test func `a reference that is counted in a render is found`() throws {
    let result = try Checker.referenceCounts().run(probe, ["--count"])
    #expect(result.text.contains("retains"))
  }
}
