import Glibc
import Synchronization

/// The program of child processes: fxrun.
package enum HostExecutable {
  private static let isSelf = Atomic<Bool>(false)

  /// Declares that this process runs fxrun, whose program knows `plugin-host`.
  package static func declareSelf() { isSelf.store(true, ordering: .relaxed) }

  /// `wanted` if it is given; this program if it is fxrun; otherwise `FXRUN_HOST`, or `fxrun` on
  /// PATH.
  package static func path(_ wanted: String? = nil) throws(Failure) -> String {
    if let wanted { return wanted }
    if isSelf.load(ordering: .relaxed) { return "/proc/self/exe" }
    if let named = variable("FXRUN_HOST") {
      guard access(named, X_OK) == 0 else {
        throw Failure(
          .noProcess,
          "the program that FXRUN_HOST names for processes of fxrun cannot be run: \(named)")
      }
      return named
    }
    for folder in (variable("PATH") ?? "").split(separator: ":") {
      let candidate = "\(folder)/fxrun"
      if access(candidate, X_OK) == 0 { return candidate }
    }
    throw Failure(
      .noProcess,
      "a process of its own, for a plugin or a SOFA file, needs the program fxrun: put it on PATH, "
        + "or its path into FXRUN_HOST")
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
