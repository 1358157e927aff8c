/// Reads one source file and finds functions, initialisers and getters below a
/// `// MARK: - Realtime` that do not carry `@_noLocks`.
///
/// The mark holds to the end of the type that it stands in: to the next closing brace that is
/// indented less than the mark.
struct RealtimeReader {
  /// Line numbers from 0.
  private(set) var unannotated: [Int] = []

  init(_ lines: [String]) {
    var indentation: Int?
    for (index, line) in lines.enumerated() {
      let trimmed = line.drop { $0 == " " }
      let indent = line.count - trimmed.count
      if trimmed.hasPrefix("// MARK: - ") {
        indentation = trimmed.hasPrefix("// MARK: - Realtime") ? indent : nil
        continue
      }
      guard let mark = indentation else { continue }
      if indent < mark, !trimmed.isEmpty {
        indentation = nil
        continue
      }
      guard indent == mark || trimmed.hasPrefix("static"), !trimmed.hasPrefix("//") else {
        continue
      }
      if Self.isFunction(trimmed), !Self.isAnnotated(lines, index) {
        unannotated.append(index)
      } else if Self.isComputed(trimmed), !Self.hasAnnotatedGetter(lines, index),
        !Self.isAnnotated(lines, index)
      {
        unannotated.append(index)
      }
    }
  }

  private static func isFunction(_ line: Substring) -> Bool {
    line.firstMatch(of: /^(?:@\S+ )*(?:[a-z]+(?:\(\w+\))? )*(?:func |init[(<?])/) != nil
  }

  private static func isComputed(_ line: Substring) -> Bool {
    line.firstMatch(of: /^(?:@\S+ )*(?:[a-z]+(?:\(\w+\))? )*(?:var .*\{|subscript\()/) != nil
  }

  /// On the line itself or among the attributes above it.
  private static func isAnnotated(_ lines: [String], _ index: Int) -> Bool {
    if lines[index].contains("@_noLocks") { return true }
    var above = index - 1
    while above >= 0 {
      let line = lines[above].drop { $0 == " " }
      guard line.hasPrefix("@") || line.hasPrefix("//") else { return false }
      if line.contains("@_noLocks") { return true }
      above -= 1
    }
    return false
  }

  private static func hasAnnotatedGetter(_ lines: [String], _ index: Int) -> Bool {
    let indent = lines[index].prefix { $0 == " " }
    for line in lines[index...] {
      if line.contains("@_noLocks") { return true }
      if line.hasPrefix(indent + "}") || lines[index].hasSuffix("}") { return false }
    }
    return false
  }
}
