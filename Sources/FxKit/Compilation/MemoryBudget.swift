import Glibc

/// The default limits for the memory of a chain's sound.
package enum MemoryBudget {
  /// Half of the memory that this process may use, at most 4 GiB. The other half is for plugins,
  /// decoders and the chain itself.
  package static let standard = min(available / 2, 4 << 30)

  /// The largest possible limit. If the process has a limit on its address space or its data, it is
  /// at most 5/8 of that: the rest is for code, stacks and the heaps of threads.
  package static let most = min(available, (resourceLimits.min() ?? .max) / 8 * 5)

  /// The minimum of the machine's memory and the process's limits, in bytes.
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

  /// The memory limits of the process's control groups, version 2 and version 1.
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

  /// The limits of a group and of its parent groups.
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
