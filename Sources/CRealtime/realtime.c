#define _GNU_SOURCE
#include "realtime.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/resource.h>
#include <time.h>

// The entry points of RealtimeSanitizer, or of another checker.
extern void __rtsan_realtime_enter(void) __attribute__((weak));
extern void __rtsan_realtime_exit(void) __attribute__((weak));

int fx_keeps_denormals = 0;

void fx_keep_denormals(void) { fx_keeps_denormals = 1; }

void fx_realtime_enter(void) {
  if (__rtsan_realtime_enter) __rtsan_realtime_enter();
}

void fx_realtime_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}

int fx_realtime_checker_is_loaded(void) { return __rtsan_realtime_enter != NULL; }

uint64_t fx_thread_page_faults(void) {
  struct rusage usage;
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return 0;
  return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

void fx_semaphore_post(void *semaphore) { sem_post(semaphore); }

int fx_semaphore_wait(void *semaphore, double seconds) {
  // Not the time of day, which jumps when the clock is set.
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  long long nanoseconds = deadline.tv_nsec + (long long)(seconds * 1e9);
  deadline.tv_sec += nanoseconds / 1000000000;
  deadline.tv_nsec = nanoseconds % 1000000000;
  while (sem_clockwait(semaphore, CLOCK_MONOTONIC, &deadline) != 0) {
    if (errno != EINTR) return 0;
  }
  return 1;
}

static double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

double fx_monotonic_seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

// Reads both clocks at the same moment, as exactly as a few attempts allow.
static void read_clocks(double *seconds, uint64_t *ticks) {
  uint64_t nearest = UINT64_MAX;
  for (int i = 0; i < 8; i++) {
    uint64_t before = fx_ticks();
    double now = fx_monotonic_seconds();
    uint64_t between = fx_ticks() - before;
    if (between >= nearest) continue;
    nearest = between;
    *seconds = now;
    *ticks = before + between / 2;
  }
}

static double seconds_per_tick;

static void measure_ticks(void) {
  double start = 0, end = 0;
  uint64_t first = 0, last = 0;
  read_clocks(&start, &first);
  while (fx_monotonic_seconds() - start < 0.001) {}
  read_clocks(&end, &last);
  seconds_per_tick = last > first ? (end - start) / (double)(last - first) : 1e-9;
}

double fx_seconds_per_tick(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, measure_ticks);
  return seconds_per_tick;
}

double fx_processor_seconds(void) { return seconds_of(CLOCK_PROCESS_CPUTIME_ID); }

double fx_thread_processor_seconds(void) { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

void fx_thread_join(uint64_t thread) { pthread_join((pthread_t)thread, NULL); }

void fx_thread_detach(uint64_t thread) { pthread_detach((pthread_t)thread); }

static int wait_for(int descriptor, short events, int milliseconds) {
  struct pollfd request = {.fd = descriptor, .events = events};
  return poll(&request, 1, milliseconds) != 0;
}

int fx_wait_readable(int descriptor, int milliseconds) {
  return wait_for(descriptor, POLLIN, milliseconds);
}

int fx_wait_writable(int descriptor, int milliseconds) {
  return wait_for(descriptor, POLLOUT, milliseconds);
}
