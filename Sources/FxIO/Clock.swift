import CRealtime

/// Seconds by the system's clocks.
enum Clock {
  static func monotonic() -> Double { fx_monotonic_seconds() }

  /// Processor time of all threads of this process.
  static func processor() -> Double { fx_processor_seconds() }
}
