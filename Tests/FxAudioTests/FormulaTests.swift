@testable import FxAudio
import Testing

@Suite struct FormulaTests {
  private func result(_ text: String, _ values: [Double] = [0, 0]) throws -> Double {
    let formula = try Formula(text, variables: ["a", "b"])
    let stack = UnsafeMutablePointer<Double>.allocate(capacity: formula.depth)
    defer { stack.deallocate() }
    return formula.instructions.withUnsafeBufferPointer { instructions in
      guard let start = instructions.baseAddress else { return .nan }
      return Formula.Program(start, count: instructions.count, stack: stack).result(values)
    }
  }

  @Test func `products come before sums and sums before comparisons`() throws {
    for (text, wanted) in [
      ("1 + 2 * 3", 7.0), ("(1 + 2) * 3", 9), ("8 / 4 / 2", 1), ("7 - 4 - 2", 1), ("-2 * -3", 6),
      ("--1", 1), ("1 + 1 < 3", 1), ("3 >= 3", 1), ("2 > 3", 0), ("2 <= 1", 0), ("2 == 2", 1),
      ("2 != 2", 0), ("1.5e2", 150), (".5", 0.5), ("min(3, 2) + max(3, 2)", 5),
      ("abs(-3)", 3), ("floor(-1.5)", -2), ("exp2(3)", 8), ("log2(8)", 3), ("sqrt(16)", 4),
      ("clamp(5, 0, 2)", 2), ("select(1 > 0, 4, 5)", 4), ("select(0, 4, 5)", 5),
      ("a - b * 2", 1), ("sin(pi / 2)", 1), ("sin(2 * pi * 1e6)", 0),
    ] {
      let found = try result(text, [5, 2])
      #expect(abs(found - wanted) < 1e-9, "\(text): \(found)")
    }
  }

  @Test func `a mistake has its place`() {
    for (text, message, range) in [
      ("a + c", "has no 'c'", 4..<5),
      ("a +", "ends where a number, a name or '(' is expected", 2..<3),
      ("(a", "ends where ')' is expected", 1..<2), ("a b", "has 'b' where an operator", 2..<3),
      ("min(a)", "has ')' where ',': 'min' takes 2 values is expected", 5..<6),
      ("", "ends where", 0..<0), ("1.2.3", "has no number '1.2.3'", 0..<5),
      ("a * ü", "has 'ü' where", 4..<6), ("sin 3", "has '3' where '(' behind 'sin'", 4..<5),
      ("a = 3", "has '=' where an operator", 2..<3),
    ] {
      do {
        _ = try Formula(text, variables: ["a", "b"])
        Issue.record("\(text) is no formula")
      } catch {
        #expect(error.message.hasPrefix(message), "\(text): \(error.message)")
        #expect(error.part == range, "\(text)")
      }
    }
  }

  @Test func `length and nesting are bounded`() {
    let deep = String(repeating: "(", count: 40) + "1" + String(repeating: ")", count: 40)
    let long = String(repeating: "1+", count: 600) + "1"
    let signs = String(repeating: "-", count: 100) + "1"
    for text in [deep, long, signs] {
      #expect(throws: Failure.self) { try Formula(text, variables: []) }
    }
    #expect((try? Formula("((((1+2)*3)-4)/5)", variables: []))?.depth == 2)
  }
}
