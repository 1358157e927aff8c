import Glibc

/// The reason why a child process, or the memory to share with it, could not be created.
package struct ProcessError: Error, Hashable, Sendable {
  package let message: String

  package init(_ message: String) { self.message = message }

  /// The system's message for an errno value.
  package static func systemMessage(_ code: Int32) -> String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}
