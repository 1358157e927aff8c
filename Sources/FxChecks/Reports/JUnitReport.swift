import FxKit

/// The results of a suite as JUnit XML, which every CI reads: one test suite for each case file.
package enum JUnitReport {
  /// - Parameter results: by case; nil for those that were not run.
  package static func text(_ cases: [SuiteCase], _ results: [SuiteResult?]) -> String {
    var files: [String] = []
    var indices: [String: [Int]] = [:]
    for index in cases.indices {
      let file = cases[index].testCase.file
      if indices[file] == nil { files.append(file) }
      indices[file, default: []].append(index)
    }
    let all = results.compactMap { $0 }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites name=\"fxrun test\"\(counts(results)) time=\"\(time(all))\">\n"
    for file in files {
      let own = (indices[file] ?? []).map { (cases[$0], results[$0]) }
      text +=
        "  <testsuite name=\"\(escaped(file))\"\(counts(own.map(\.1)))"
        + " time=\"\(time(own.compactMap(\.1)))\">\n"
      for (testCase, result) in own { text += element(testCase, result) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func counts(_ results: [SuiteResult?]) -> String {
    let failures = results.count {
      switch $0?.verdict.outcome {
      case .new, .differs: $0?.isGood == false
      default: false
      }
    }
    let errors = results.count { if case .failed? = $0?.verdict.outcome { true } else { false } }
    return " tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"\(errors)\""
      + " skipped=\"\(results.count { $0 == nil })\""
  }

  private static func element(_ testCase: SuiteCase, _ result: SuiteResult?) -> String {
    let start =
      "    <testcase name=\"\(escaped(testCase.label))\""
      + " classname=\"\(escaped(testCase.testCase.file))\""
    guard let result else { return "\(start) time=\"0\">\n      <skipped/>\n    </testcase>\n" }
    var parts = ""
    let verdict = result.verdict
    let message = escaped(verdict.headline)
    let details = escaped(
      ([verdict.headline] + verdict.details(testCase.testCase.tolerance)).joined(separator: "\n"))
    switch verdict.outcome {
    case .failed(let failure):
      parts +=
        "      <error type=\"\(escaped(failure.code))\" message=\"\(message)\">\(details)</error>\n"
    case .new where !result.isGood, .differs where !result.isGood:
      parts +=
        "      <failure type=\"\(verdict.outcome.name)\" message=\"\(message)\">\(details)</failure>\n"
    default:
      if !verdict.warnings.isEmpty {
        parts +=
          "      <system-out>\(escaped(verdict.warnings.joined(separator: "\n")))</system-out>\n"
      }
    }
    if !result.words.isEmpty {
      parts += "      <system-err>\(escaped(result.words))</system-err>\n"
    }
    let seconds = " time=\"\(time([result]))\""
    return parts.isEmpty
      ? "\(start)\(seconds)/>\n" : "\(start)\(seconds)>\n\(parts)    </testcase>\n"
  }

  /// Seconds with three decimals.
  private static func time(_ results: [SuiteResult]) -> String {
    let seconds = results.reduce(0) { $0 + $1.seconds }
    let milliseconds = seconds.isFinite ? Int(min(max(seconds, 0), 1e9) * 1000) : 0
    let fraction = String(milliseconds % 1000)
    return "\(milliseconds / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  /// Escapes a text for XML 1.0, which does not allow most control characters.
  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\n": escaped += "&#10;"
      case "\t": escaped += "&#9;"
      default:
        let isAllowed = scalar.value >= 0x20 && ![0x7F, 0xFFFE, 0xFFFF].contains(scalar.value)
        escaped.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
    return escaped
  }
}
