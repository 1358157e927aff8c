infix operator ≈ : ComparisonPrecedence
infix operator ± : AdditionPrecedence

/// Fails the test if a rendering differs from its golden. The message reports changes of the render
/// environment, the audible difference, and the node where it begins.
///
/// It works in Swift Testing and XCTest. The rendered sound and a page with the difference are
/// written to the folder in `FXTESTING_OUTPUT`, or to a temporary folder that the message names. In
/// Swift Testing they are also attached to the test. <doc:FailingTests> explains the details.
///
///     expect(try chain.rendering(.sweep()), matches: .golden("voice"))
///
/// - Parameters:
///   - rendering: the rendering to check.
///   - golden: the expected sound.
///   - fileID: the place of the expectation, where the issue is reported; so are the next three.
///   - filePath: the path of its source file.
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

/// True if a rendering matches its golden.
///
/// For `#expect`, which prints the reason with the golden if this is false. The files are attached
/// to the test. ``expect(_:matches:fileID:filePath:line:column:)`` reports more, and also works in
/// XCTest.
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

/// Fails the test if two renderings differ, and reports how. Use it for two ways to build the same
/// chain, for two block sizes, or for a bypass that must not change the sound.
///
///     expect(try chain.rendering(blockSize: 64), matches: try chain.rendering(blockSize: 512))
///
/// - Parameters:
///   - rendering: the rendering to check.
///   - other: the expected rendering.
///   - tolerance: how much they may differ.
///   - fileID: the place of the expectation, where the issue is reported; so are the next three.
///   - filePath: the path of its source file.
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

/// True if two renderings are identical to the bit in all outputs.
public func ≈ (rendering: Rendering, other: Rendering) -> Bool {
  RenderingDifference(rendering, from: other, .exact).lines.isEmpty
}

/// The range of a value plus or minus a margin, for measurements.
///
/// Inside `#expect` it needs parentheses:
///
///     #expect(rendering.loudness.integrated ≈ (-16 ± 0.5))
public func ± (value: Double, margin: Double) -> ClosedRange<Double> {
  guard !value.isNaN, !margin.isNaN else { return .infinity ... .infinity }
  return value - abs(margin)...value + abs(margin)
}

/// True where a value is in a range.
public func ≈ (value: Double, range: ClosedRange<Double>) -> Bool { range.contains(value) }
