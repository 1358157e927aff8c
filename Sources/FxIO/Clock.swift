import Glibc

/// Seconds by the system's clocks.
enum Clock {
  static func monotonic() -> Double { seconds(CLOCK_MONOTONIC) }

  /// Processor time of all threads of this process.
  static func processor() -> Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
