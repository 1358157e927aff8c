import Glibc
import Synchronization

/// The program that our processes run: fxrun.
package enum HostExecutable {
  /// What `fxrun` is started with to be such a process.
  package static let command = "plugin-host"

  private static let isSelf = Atomic<Bool>(false)

  /// Says that this process's program understands `plugin-host`: it is fxrun.
  package static func declareSelf() { isSelf.store(true, ordering: .relaxed) }

  /// `wanted` where somebody says; ourselves where we are fxrun; else `FXRUN_HOST`, else `fxrun` on
  /// PATH.
  package static func path(_ wanted: String? = nil) throws(ProcessError) -> String {
    if let wanted { return wanted }
    if isSelf.load(ordering: .relaxed) { return "/proc/self/exe" }
    if let named = variable("FXRUN_HOST") {
      guard access(named, X_OK) == 0 else {
        throw ProcessError(
          "the program for isolated plugins that FXRUN_HOST names cannot be run: \(named)")
      }
      return named
    }
    for folder in (variable("PATH") ?? "").split(separator: ":") {
      let candidate = "\(folder)/fxrun"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw ProcessError(
      "a plugin with a process of its own needs the program fxrun: put it on PATH, or its path into "
        + "FXRUN_HOST")
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
