/// A case of a suite, with a unique name.
package struct SuiteCase: Sendable {
  /// The case's own name, with its file's folder if another case of the suite has the same name.
  package let label: String
  package var testCase: TestCase

  package init(label: String, testCase: TestCase) {
    self.label = label
    self.testCase = testCase
  }

  /// The label as part of a file's name.
  package var fileName: String {
    let plain = label.split(separator: "/").filter { $0 != "." }.joined(separator: "-")
    return plain.isEmpty ? "case" : plain
  }

  /// The cases of several files, in their order.
  package static func all(of files: [CaseFile]) -> [SuiteCase] {
    let cases = files.flatMap(\.cases)
    let counts = Dictionary(cases.map { ($0.name, 1) }, uniquingKeysWith: +)
    return cases.map { testCase in
      guard counts[testCase.name] ?? 1 > 1 else {
        return SuiteCase(label: testCase.name, testCase: testCase)
      }
      let folder = testCase.file.split(separator: "/", omittingEmptySubsequences: false).dropLast()
      return SuiteCase(
        label: (folder.map(String.init) + [testCase.name]).joined(separator: "/"),
        testCase: testCase)
    }
  }

  /// True if one of `words` is part of the name or, as a pattern with `*` and `?`, matches all of
  /// it.
  package func matches(_ words: [String]) -> Bool {
    words.isEmpty
      || words.contains { word in
        [label, testCase.name].contains { name in
          word.contains { $0 == "*" || $0 == "?" }
            ? Self.matches(Array(word)[...], Array(name)[...]) : Self.holds(name, word)
        }
      }
  }

  private static func holds(_ name: String, _ word: String) -> Bool {
    word.isEmpty || name.indices.contains { name[$0...].hasPrefix(word) }
  }

  /// `*` stands for any characters, `?` for one.
  private static func matches(_ pattern: ArraySlice<Character>, _ name: ArraySlice<Character>)
    -> Bool
  {
    // The state after the last star: the pattern behind it, and the text that it has matched.
    var (pattern, name) = (pattern, name)
    var retry: (pattern: ArraySlice<Character>, name: ArraySlice<Character>)?
    while true {
      if pattern.first == "*" {
        pattern = pattern.dropFirst()
        retry = (pattern, name)
      } else if let next = pattern.first, let character = name.first,
        next == "?" || next == character
      {
        (pattern, name) = (pattern.dropFirst(), name.dropFirst())
      } else if pattern.isEmpty, name.isEmpty {
        return true
      } else if let last = retry, !last.name.isEmpty {
        retry = (last.pattern, last.name.dropFirst())
        (pattern, name) = (last.pattern, last.name.dropFirst())
      } else {
        return false
      }
    }
  }
}
