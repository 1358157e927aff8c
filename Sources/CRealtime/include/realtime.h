// What a realtime thread needs and Swift cannot express: floating-point modes, clocks, scheduling,
// and the hooks for a loadable checker.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Marks a C function that Swift's realtime checker trusts.
#define FX_REALTIME __attribute__((swift_attr("@_noLocks")))

/// Reads the floating-point control register of the calling thread.
FX_REALTIME static inline uint64_t fx_floating_point_mode(void) {
#if defined(__x86_64__)
  return __builtin_ia32_stmxcsr();
#elif defined(__aarch64__)
  uint64_t mode;
  __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
  return mode;
#else
  return 0;
#endif
}

/// Writes the floating-point control register of the calling thread.
FX_REALTIME static inline void fx_set_floating_point_mode(uint64_t mode) {
#if defined(__x86_64__)
  __builtin_ia32_ldmxcsr((unsigned)mode);
#elif defined(__aarch64__)
  __asm__ volatile("msr fpcr, %0" : : "r"(mode));
#else
  (void)mode;
#endif
}

/// Not 0 where denormals are kept, so that they can be counted.
extern int fx_keeps_denormals;

/// Makes every thread keep denormals from its next render on: for a process that only measures.
void fx_keep_denormals(void);

/// Makes denormal results and operands count as zero on the calling thread and returns the mode
/// that was set before. Rounds to nearest; every exception masked; old exception flags cleared.
FX_REALTIME static inline uint64_t fx_flush_denormals(void) {
  uint64_t before = fx_floating_point_mode();
#if defined(__x86_64__)
  fx_set_floating_point_mode(fx_keeps_denormals ? 0x1f80 : 0x1f80 | 0x8040);
#elif defined(__aarch64__)
  fx_set_floating_point_mode(fx_keeps_denormals ? 0 : (uint64_t)1 << 24);
#endif
  return before;
}

/// Restores the flushing mode after a call that has changed it.
/// The sticky exception flags (the low six bits on x86) do not count.
FX_REALTIME static inline void fx_restore_flushing(void) {
  if (fx_keeps_denormals) {
    (void)fx_flush_denormals();
    return;
  }
#if defined(__x86_64__)
  if ((fx_floating_point_mode() & ~(uint64_t)0x3f) != (0x1f80 | 0x8040))
    fx_set_floating_point_mode(0x1f80 | 0x8040);
#elif defined(__aarch64__)
  if (fx_floating_point_mode() != (uint64_t)1 << 24)
    fx_set_floating_point_mode((uint64_t)1 << 24);
#endif
}

/// Tells a loaded checker that this thread is rendering. Does nothing without a checker.
FX_REALTIME void fx_realtime_enter(void);
FX_REALTIME void fx_realtime_exit(void);

/// True when a realtime checker is loaded into this process.
int fx_realtime_checker_is_loaded(void);

/// Minor and major page faults of the calling thread so far.
FX_REALTIME uint64_t fx_thread_page_faults(void);

/// Posts a `sem_t`. It neither allocates nor locks, and enters the kernel only when a thread waits.
FX_REALTIME void fx_semaphore_post(void *semaphore);

/// Waits up to `seconds` for a post of a `sem_t`. Returns 1 for a post, 0 after the timeout.
int fx_semaphore_wait(void *semaphore, double seconds);

/// Seconds of the monotonic clock.
FX_REALTIME double fx_monotonic_seconds(void);

/// The processor's own clock: read in a few nanoseconds, at one rate on every core.
FX_REALTIME static inline uint64_t fx_ticks(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
  uint64_t ticks;
  __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
#else
  return (uint64_t)(fx_monotonic_seconds() * 1e9);
#endif
}

/// Tells the processor that the thread is spinning.
FX_REALTIME static inline void fx_spin_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/// The duration of a tick in seconds. The first call measures it, which takes a millisecond.
double fx_seconds_per_tick(void);

/// Processor seconds of all threads of the process.
double fx_processor_seconds(void);

/// Processor seconds of the calling thread.
double fx_thread_processor_seconds(void);

/// Waits up to `milliseconds` until a descriptor can be read (or written). Returns 0 after the
/// timeout; 1 when it can, or when an attempt will return an error.
///
/// In C because Swift assigns `struct pollfd` to the module that shows it first.
int fx_wait_readable(int descriptor, int milliseconds);
int fx_wait_writable(int descriptor, int milliseconds);

/// Starts a joinable thread. With `priority` above 0 it is scheduled SCHED_FIFO at that priority.
/// Returns 0 or an errno value (EPERM where realtime scheduling is refused).
int fx_thread_start(uint64_t *thread, int priority, void *(*body)(void *), void *context);

/// Waits for a thread that `fx_thread_start` started.
void fx_thread_join(uint64_t thread);

/// Lets a thread free its stack when it ends; it must not be joined.
void fx_thread_detach(uint64_t thread);
