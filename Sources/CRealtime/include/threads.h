// Threads: their scheduling, their processors, and the kernel's counts.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "realtime.h"

/// The kernel's counts for a thread.
typedef struct {
  /// Minor and major.
  uint64_t page_faults;
  /// Switches to another thread because this thread waited.
  uint64_t voluntary_switches;
  /// Switches because another thread had priority.
  uint64_t involuntary_switches;
} fx_thread_usage;

/// The counts of the calling thread so far.
FX_REALTIME fx_thread_usage fx_thread_usage_now(void);

/// Starts a joinable thread that runs only on these processors, or on any for a count of 0. With
/// `priority` above 0 it is scheduled SCHED_FIFO at that priority. Returns 0 or an errno value:
/// EPERM where realtime scheduling is refused, EINVAL where none of the processors may be used.
/// `stack_size` is 0 for the default.
int fx_thread_start_on(
    uint64_t *thread, int priority, const int32_t *processors, size_t processor_count,
    size_t stack_size, void *(*body)(void *), void *context);

/// Asks the system's service for realtime scheduling (RealtimeKit, over D-Bus) to schedule the
/// calling thread, at this priority or the highest that it allows. A thread that then does not
/// sleep for a while loses it again. Returns 0 or an errno value. May take seconds.
int fx_realtime_from_broker(int priority);

/// Touches the stack memory that a thread may need, so that it causes no page faults later.
void fx_prefault_stack(void);

/// The number of processors of the computer, usable or not.
int fx_processor_count(void);

/// The number of processors that the calling thread may run on.
int fx_usable_processor_count(void);
