import Glibc

/// How much memory the sound of a chain may take where nobody says.
package enum MemoryBudget {
  /// Half of what this process may use, at most 4 GiB: the other half is for plugins, decoders and
  /// the chain itself.
  package static let standard = min(available / 2, 4 << 30)

  /// What may be asked for at most. Of a limited address space, code, stacks and the heaps of threads
  /// take a part.
  package static let most = min(available, (resourceLimits.min() ?? .max) / 8 * 5)

  /// The least of the machine's memory and of the limits that the process runs under, in bytes.
  static let available: Int = {
    ([machine] + resourceLimits + groupLimits).min() ?? machine
  }()

  private static var machine: Int { sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE)) }

  private static var resourceLimits: [Int] {
    [RLIMIT_AS, RLIMIT_DATA].compactMap { resource in
      var limit = rlimit()
      guard getrlimit(Int32(resource.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max else {
        return nil
      }
      return Int(clamping: limit.rlim_cur)
    }
  }

  /// The limits of the control groups that the process is in, version 2 and version 1.
  private static var groupLimits: [Int] {
    (text("/proc/self/cgroup") ?? "").split(separator: "\n").flatMap { line -> [Int] in
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { return [] }
      if fields[1].isEmpty {
        return limits(under: "/sys/fs/cgroup", String(fields[2]), "memory.max")
      }
      guard fields[1].split(separator: ",").contains("memory") else { return [] }
      return limits(under: "/sys/fs/cgroup/memory", String(fields[2]), "memory.limit_in_bytes")
    }
  }

  /// A group's limit and those of the groups around it.
  private static func limits(under root: String, _ path: String, _ file: String) -> [Int] {
    var parts = path.split(separator: "/")
    var found: [Int] = []
    while true {
      let folder = ([root] + parts.map(String.init)).joined(separator: "/")
      if let text = text("\(folder)/\(file)"), let line = text.split(separator: "\n").first,
        let bytes = Int(line)
      {
        found.append(bytes)
      }
      guard parts.popLast() != nil else { return found }
    }
  }

  private static func text(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}
