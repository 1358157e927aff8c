import Foundation
import FxTestSupport
import Testing

/// Waits do not depend on the time of day, which jumps when a clock is set.
@Suite struct MonotonicWaitTests {
  private let temporary = TemporaryFolder()

  private static let calls = [
    "sem_timedwait", "pthread_cond_timedwait", "gettimeofday", "CLOCK_REALTIME", "time(nil)",
    "time(NULL)", "Date()",
  ]

  /// Calls that read or wait for the time of day.
  private static func wallClock(_ line: String) -> Bool {
    calls.contains { line.range(of: $0) != nil }
  }

  @Test func `only ages of files and times of OSC are measured by the time of day`() throws {
    var found: [String] = []
    for source in try Repository.texts(under: "Sources") {
      for line in source.lines where Self.wallClock(line) {
        let isComment = line.trimmingCharacters(in: .whitespaces).hasPrefix("//")
        if !isComment { found.append(source.path) }
      }
    }
    // It is compared with the time of a change, which the file system keeps by that clock, and with the time of an
    // OSC bundle, which other computers write.
    #expect(
      found == [
        "Sources/FxLV2/World/LV2BundleIndex.swift", "Sources/FxMedia/Sinks/StaleFiles.swift",
        "Sources/FxRun/OSC/OSCServer.swift",
      ])
  }

  @Test func `a seeded wait by the time of day is found`() {
    #expect(Self.wallClock("  while (sem_timedwait(semaphore, &deadline) != 0) {"))
    #expect(Self.wallClock("    private var lastSync = time(nil)"))
    #expect(!Self.wallClock("  sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline)"))
  }

  @Test func `a wait ends in time although the clock was set an hour ahead`() throws {
    let folder = temporary.url
    let program = """
      #define _GNU_SOURCE
      #include "realtime.h"
      #include <semaphore.h>
      #include <stdlib.h>
      #include <sys/syscall.h>
      #include <time.h>
      #include <unistd.h>
      int clock_gettime(clockid_t clock, struct timespec *time) {
        int result = (int)syscall(SYS_clock_gettime, clock, time);
        if (clock == CLOCK_REALTIME) time->tv_sec += 3600;
        return result;
      }
      int main(void) {
        sem_t semaphore;
        sem_init(&semaphore, 0, 0);
        alarm(20);
        double start = fx_monotonic_seconds();
        if (fx_semaphore_wait(&semaphore, 0.1) != 0) return 1;
        double waited = fx_monotonic_seconds() - start;
        return waited >= 0.1 && waited < 10 ? 0 : 2;
      }
      """
    let source = folder.appending(path: "wait.c")
    try program.write(to: source, atomically: true, encoding: .utf8)
    let sources = Repository.root.appending(path: "Sources/CRealtime")
    let executable = folder.appending(path: "wait")
    let compiled = try BuiltProgram.run(
      URL(filePath: "/usr/bin/env"),
      [
        "clang", "-I", sources.appending(path: "include").path, source.path,
        sources.appending(path: "realtime.c").path, "-o", executable.path, "-lpthread",
      ])
    try #require(compiled.status == 0, "\(compiled.text)")
    #expect(try BuiltProgram.run(executable, []).status == 0)
  }
}
