import CLilv

/// Gives plugins zeroed memory while they are instantiated.
///
/// Some plugins read memory that they never wrote, mostly in their own instance. Without zeros they
/// would read leftover data: the output would differ from run to run, or contain NaNs.
enum LV2Heap {
  /// Runs code while `malloc` returns zeroed memory, as far as the C library supports it.
  static func zeroed<Result>(_ body: () -> Result) -> Result {
    var taken = fx_small_blocks()
    guard fx_lv2_zero_new_memory(&taken) != 0 else { return body() }
    defer { fx_lv2_leave_new_memory(&taken) }
    return body()
  }
}
