/// A way of rendering that should make no difference.
enum LintVariant: Hashable, Sendable {
  /// As it is usually done.
  case plain
  /// In a fresh process, another second.
  case again
  /// The second time in one process.
  case secondInstance
  /// New memory is filled with the complement of a byte; plugins get zeros while they are made.
  case filled(UInt8)
  /// New memory is filled with the complement of a byte, for plugins as well.
  case uncured(UInt8)
  case blocks(Int)

  var blockSize: Int? { if case .blocks(let size) = self { size } else { nil } }

  /// What its process finds in its environment.
  var environment: [String: String] {
    switch self {
    case .plain, .again, .secondInstance, .blocks: [:]
    case .uncured(let byte): ["GLIBC_TUNABLES": Self.tunables(byte)]
    case .filled(let byte):
      ["GLIBC_TUNABLES": Self.tunables(byte), "FXRUN_HEAP_FILL": String(byte)]
    }
  }

  /// Without the C library's stores of small blocks, which are given out as they are.
  private static func tunables(_ byte: UInt8) -> String {
    "glibc.malloc.tcache_count=0:glibc.malloc.perturb=\(byte)"
  }
}
