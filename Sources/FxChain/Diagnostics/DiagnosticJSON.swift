/// Messages for programs.
extension Diagnostics {
  package var json: JSONOutput {
    .members([
      "diagnostics": .array(all.map(\.json)),
      "errors": .integer(errorCount),
      "warnings": .integer(warningCount),
    ])
  }
}

extension Diagnostic {
  package var json: JSONOutput {
    .members([
      "severity": .string(severity.rawValue),
      "code": .string(code.rawValue),
      "message": .string(message),
      "file": file.map { .string($0) },
      "line": line.map { .integer($0) },
      "column": column.map { .integer($0) },
      "length": length.map { .integer($0) },
      "path": path.map { .string($0) },
      "hints": hints.isEmpty ? nil : .array(hints.map { .string($0) }),
    ])
  }
}
