import CLilv

/// Gives plugins memory that is zero while they are made.
///
/// Some read what they have never written, above all in their own instance. What they find would
/// otherwise be left over from somebody else: another sound in every run, or numbers that are none.
enum LV2Heap {
  /// Runs code in which what `malloc` returns is zero, as far as the C library can see to it.
  static func zeroed<Result>(_ body: () -> Result) -> Result {
    guard fx_lv2_zero_new_memory(1) != 0 else { return body() }
    defer { _ = fx_lv2_zero_new_memory(0) }
    return body()
  }
}
