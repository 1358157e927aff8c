// Threads: how they are scheduled, where they run, and what the kernel has counted of them.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "realtime.h"

/// What the kernel counts of a thread.
typedef struct {
  /// Minor and major.
  uint64_t page_faults;
  /// Switches to another thread because this one waited.
  uint64_t voluntary_switches;
  /// Switches because another thread came first.
  uint64_t involuntary_switches;
} fx_thread_usage;

/// Of the calling thread, so far.
FX_REALTIME fx_thread_usage fx_thread_usage_now(void);

/// Starts a joinable thread that runs on these processors only; on any for a count of 0. With
/// `priority` above 0 it is scheduled SCHED_FIFO at that priority. Returns 0 or an errno value:
/// EPERM where real-time scheduling is refused, EINVAL where none of the processors may be used.
/// `stack_size` is 0 for the usual one.
int fx_thread_start_on(
    uint64_t *thread, int priority, const int32_t *processors, size_t processor_count,
    size_t stack_size, void *(*body)(void *), void *context);

/// Asks the system's service for real-time scheduling (RealtimeKit, over D-Bus) to schedule the
/// calling thread, at this priority or the highest that it gives. A thread that then does not sleep
/// for a while loses it again. Returns 0 or an errno value. May take seconds.
int fx_realtime_from_broker(int priority);

/// Touches what a thread may need of its stack, so that nothing of it is missing later.
void fx_prefault_stack(void);

/// How many processors the computer has, whether they may be used or not.
int fx_processor_count(void);

/// How many processors the calling thread may run on.
int fx_usable_processor_count(void);
