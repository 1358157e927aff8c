/// A way of rendering that should make no difference.
enum LintVariant: Hashable, Sendable {
  /// The normal render.
  case plain
  /// In a new process, at another second of the clock.
  case again
  /// The second render in one process.
  case secondInstance
  /// New memory is filled with the complement of a byte; plugins get zeros while they are created.
  case filled(UInt8)
  /// New memory is filled with the complement of a byte, for plugins too.
  case uncured(UInt8)
  case blocks(Int)

  var blockSize: Int? { if case .blocks(let size) = self { size } else { nil } }

  /// The environment variables of the process.
  var environment: [String: String] {
    switch self {
    case .plain, .again, .secondInstance, .blocks: [:]
    case .uncured(let byte): ["GLIBC_TUNABLES": Self.tunables(byte)]
    case .filled(let byte):
      ["GLIBC_TUNABLES": Self.tunables(byte), "FXRUN_HEAP_FILL": String(byte)]
    }
  }

  /// Disables the C library's caches of small blocks, which are not filled.
  private static func tunables(_ byte: UInt8) -> String {
    "glibc.malloc.tcache_count=0:glibc.malloc.perturb=\(byte)"
  }
}
