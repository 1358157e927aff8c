infix operator ≈ : ComparisonPrecedence
infix operator ± : AdditionPrecedence

/// Makes the test fail where a rendering does not sound like its golden, and says why: what it was
/// made with and is otherwise now, what is heard, and the node in which it begins.
///
/// Works in tests of Swift Testing and of XCTest. What came, and a page that shows the difference, are
/// written to the folder that `FXTESTING_OUTPUT` names, or to one among the temporary files, which the
/// message says; in Swift Testing they are attached to the test as well. <doc:FailingTests> explains
/// all of it.
///
///     expect(try chain.rendering(.sweep()), matches: .golden("voice"))
///
/// - Parameters:
///   - rendering: what came.
///   - golden: what is expected.
///   - fileID: where the expectation stands, and so the issue; as the next three.
///   - filePath: its source file.
///   - line: its line.
///   - column: its column.
public func expect(
  _ rendering: Rendering, matches golden: Golden, fileID: String = #fileID,
  filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
  let report = TestReport(fileID: fileID, filePath: filePath, line: line, column: column)
  switch GoldenCheck(rendering, golden).outcome {
  case .same: break
  case .recorded(let words): report.note(words)
  case .failed(let failure):
    let files = FailureFiles(rendering, golden, failure)
    report.fail(([failure.message] + files.lines).joined(separator: "\n"))
  }
}

/// True where a rendering sounds like its golden.
///
/// For `#expect`, which prints the reason with the golden where it is false, and to which the files are
/// attached. ``expect(_:matches:fileID:filePath:line:column:)`` says more, and says it in XCTest too.
///
///     #expect(rendering ≈ .golden("voice"))
public func ≈ (rendering: Rendering, golden: Golden) -> Bool {
  switch GoldenCheck(rendering, golden).outcome {
  case .same: return true
  case .recorded(let words):
    TestReport.say(words)
    return true
  case .failed(let failure):
    let files = FailureFiles(rendering, golden, failure)
    golden.note(([failure.message] + files.lines).joined(separator: "\n"))
    return false
  }
}

/// Makes the test fail where two renderings do not sound the same, and says how they differ: for two
/// ways to build the same chain, two block sizes, a bypass that is to leave no trace.
///
///     expect(try chain.rendering(blockSize: 64), matches: try chain.rendering(blockSize: 512))
///
/// - Parameters:
///   - rendering: what came.
///   - other: what is expected.
///   - tolerance: how far one may be from the other.
///   - fileID: where the expectation stands, and so the issue; as the next three.
///   - filePath: its source file.
///   - line: its line.
///   - column: its column.
public func expect(
  _ rendering: Rendering, matches other: Rendering, within tolerance: Golden.Tolerance = .exact,
  fileID: String = #fileID, filePath: StaticString = #filePath, line: Int = #line,
  column: Int = #column
) {
  let difference = RenderingDifference(rendering, from: other, tolerance)
  guard !difference.lines.isEmpty else { return }
  TestReport(fileID: fileID, filePath: filePath, line: line, column: column)
    .fail(difference.lines.joined(separator: "\n"))
}

/// True where two renderings are the same to the bit, in all outputs.
public func ≈ (rendering: Rendering, other: Rendering) -> Bool {
  RenderingDifference(rendering, from: other, .exact).lines.isEmpty
}

/// A value give or take a margin, for measurements.
///
/// In `#expect` it wants parentheses:
///
///     #expect(rendering.loudness.integrated ≈ (-16 ± 0.5))
public func ± (value: Double, margin: Double) -> ClosedRange<Double> {
  guard !value.isNaN, !margin.isNaN else { return .infinity ... .infinity }
  return value - abs(margin)...value + abs(margin)
}

/// True where a value is in a range.
public func ≈ (value: Double, range: ClosedRange<Double>) -> Bool { range.contains(value) }
