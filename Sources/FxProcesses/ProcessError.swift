import Glibc

/// Why a process of ours, or memory to share with it, could not be had.
package struct ProcessError: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }

  /// What the system says of an errno value.
  package static func systemMessage(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
