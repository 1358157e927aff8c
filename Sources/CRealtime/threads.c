#define _GNU_SOURCE
#include "threads.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

fx_thread_usage fx_thread_usage_now(void) {
  struct rusage usage;
  fx_thread_usage result = {0, 0, 0};
  if (getrusage(RUSAGE_THREAD, &usage) != 0) return result;
  result.page_faults = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
  result.voluntary_switches = (uint64_t)usage.ru_nvcsw;
  result.involuntary_switches = (uint64_t)usage.ru_nivcsw;
  return result;
}

static int set_processors(pthread_attr_t *attributes, const int32_t *processors, size_t count) {
  if (count == 0) return 0;
  cpu_set_t set;
  CPU_ZERO(&set);
  for (size_t i = 0; i < count; i++) {
    if (processors[i] < 0 || processors[i] >= CPU_SETSIZE) return EINVAL;
    CPU_SET((size_t)processors[i], &set);
  }
  return pthread_attr_setaffinity_np(attributes, sizeof set, &set);
}

int fx_thread_start_on(
    uint64_t *thread, int priority, const int32_t *processors, size_t processor_count,
    size_t stack_size, void *(*body)(void *), void *context) {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error != 0) return error;
  if (stack_size > 0) pthread_attr_setstacksize(&attributes, stack_size);
  if (priority > 0) {
    struct sched_param parameters = {.sched_priority = priority};
    pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
    pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
    pthread_attr_setschedparam(&attributes, &parameters);
  }
  error = set_processors(&attributes, processors, processor_count);
  pthread_t started;
  if (error == 0) error = pthread_create(&started, &attributes, body, context);
  pthread_attr_destroy(&attributes);
  if (error == 0) *thread = (uint64_t)started;
  return error;
}

int fx_thread_start(uint64_t *thread, int priority, void *(*body)(void *), void *context) {
  return fx_thread_start_on(thread, priority, NULL, 0, 0, body, context);
}

void fx_prefault_stack(void) {
  volatile char room[256 * 1024];
  for (size_t i = 0; i < sizeof room; i += 1024) room[i] = 0;
}

int fx_usable_processor_count(void) {
  cpu_set_t usable;
  if (sched_getaffinity(0, sizeof usable, &usable) != 0) return 1;
  int count = CPU_COUNT(&usable);
  return count > 0 ? count : 1;
}

int fx_processor_count(void) {
  long count = sysconf(_SC_NPROCESSORS_CONF);
  return count > 0 && count < CPU_SETSIZE ? (int)count : CPU_SETSIZE;
}
