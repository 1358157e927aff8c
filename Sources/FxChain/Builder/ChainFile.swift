package import FxAudio
import Glibc

/// Files named in a chain.
package enum ChainFile {
  /// The bytes of a chain file. It may be a pipe: the user who started fxrun waits for it.
  package static func read(_ path: String) throws(Failure) -> [UInt8] {
    var file = GuardedFile(path)
    file.takesPipes = true
    file.folderHint = "name the chain file in it"
    return try file.bytes()
  }

  /// The bytes of a file named in a chain, or of a chain that replaces a running one. It must be a
  /// regular file, so that fxrun never waits for a pipe without a writer.
  package static func readNamed(
    _ path: String, _ limits: OpeningLimits = OpeningLimits()
  ) throws(Failure) -> [UInt8] {
    try GuardedFile(path, limits).bytes()
  }

  /// Resolves a path in a chain, relative to the chain's folder.
  package static func path(_ path: String, relativeTo chain: String) -> String {
    let plain = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    guard !path.hasPrefix("/"), let slash = chain.lastIndex(of: "/") else { return plain }
    return chain[...slash] + plain
  }

  /// The absolute path, for a process with another working folder.
  package static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return "\(String(cString: folder))/\(path)"
  }

  /// Why a file for a plugin cannot be read; nil if it can.
  static func obstacle(_ path: String, _ limits: OpeningLimits) -> String? {
    failure(path, limits, takesFolders: false)?.message
  }

  /// Why a state cannot be read; nil if it can. The plugin's library reports a missing one.
  static func stateObstacle(_ path: String, _ limits: OpeningLimits) -> String? {
    let failure = failure(path, limits, takesFolders: true)
    return failure?.code == .notFound ? nil : failure?.message
  }

  private static func failure(
    _ path: String, _ limits: OpeningLimits, takesFolders: Bool
  ) -> Failure? {
    var file = GuardedFile(path, limits)
    // The plugin decides how much it reads.
    file.byteLimit = .max
    file.takesFolders = takesFolders
    do throws(Failure) {
      try file.check()
      return nil
    } catch {
      return error
    }
  }

  /// A path without `.` components, and with `..` components resolved.
  static func normalized(_ path: some StringProtocol) -> String {
    var steps: [Substring] = []
    for step in String(path)[...].split(separator: "/") where step != "." {
      if step == "..", let last = steps.last, last != ".." {
        steps.removeLast()
      } else {
        steps.append(step)
      }
    }
    return (path.hasPrefix("/") ? "/" : "") + steps.joined(separator: "/")
  }
}
