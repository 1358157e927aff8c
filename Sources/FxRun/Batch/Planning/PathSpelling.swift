import FxAudio
import FxKit
import Glibc

/// Resolves the existing folders and links of a path.
struct PathSpelling {
  private var folders: [PathKey: String] = [:]

  mutating func spelled(_ path: String) -> String {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
      return BatchSearch.real(path)
    }
    let slash = path.lastIndex(of: "/")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    return "\(folder(slash.map { String(path[..<$0]) + "/" } ?? "."))/\(name)"
  }

  private mutating func folder(_ path: String) -> String {
    if let known = folders[PathKey(path)] { return known }
    var missing: [Substring] = []
    var there = path[...]
    var result = BatchSearch.real(String(there))
    // The existing part is resolved; the names below it are added unchanged.
    while access(result, F_OK) != 0, !there.isEmpty {
      while there.hasSuffix("/") { there = there.dropLast() }
      let slash = there.lastIndex(of: "/")
      missing.insert(slash.map { there[there.index(after: $0)...] } ?? there, at: 0)
      there = slash.map { there[...$0] } ?? ""
      result = BatchSearch.real(there.isEmpty ? "." : String(there))
    }
    var steps: [Substring] = []
    for step in missing where step != "." && !step.isEmpty {
      if step == "..", !steps.isEmpty { steps.removeLast() } else { steps.append(step) }
    }
    result = ([result == "/" ? "" : result] + steps.map(String.init)).joined(separator: "/")
    folders[PathKey(path)] = result
    return result
  }
}
