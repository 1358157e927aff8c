#define _GNU_SOURCE
#include "threads.h"

#include "optional.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// The functions of libsystemd's bus that are used, as it declares them.
typedef struct bus bus;
static struct {
  int (*open)(bus **);
  bus *(*close)(bus *);
  int (*set_timeout)(bus *, uint64_t);
  int (*get_property)(
      bus *, const char *, const char *, const char *, const char *, void *, char, void *);
  int (*call_method)(
      bus *, const char *, const char *, const char *, const char *, void *, void *, const char *, ...);
} systemd;

static const char service[] = "org.freedesktop.RealtimeKit1";
static const char object[] = "/org/freedesktop/RealtimeKit1";

/// The kernel's id of the thread with realtime scheduling; 0 for none.
static atomic_int promoted;

static int load(void) {
  static const char *const files[] = {"libsystemd.so.0", NULL};
  static const char *const names[] = {
      "sd_bus_open_system",          "sd_bus_flush_close_unref", "sd_bus_set_method_call_timeout",
      "sd_bus_get_property_trivial", "sd_bus_call_method",       NULL};
  return fx_open_library(files, names, &systemd);
}

/// The thread has not slept for as long as the service allows. It continues with normal scheduling,
/// so that the process is not killed.
static void demote(int signal) {
  (void)signal;
  int thread = atomic_exchange(&promoted, 0);
  struct sched_param none = {.sched_priority = 0};
  if (thread != 0) sched_setscheduler(thread, SCHED_OTHER, &none);
}

/// The service refuses processes that could occupy a processor forever.
static int limit_time(long long microseconds) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_RTTIME, &limit) != 0) return errno;
  rlim_t most = (rlim_t)microseconds;
  if (limit.rlim_max > most) limit.rlim_max = most;
  rlim_t warned = limit.rlim_max / 4 * 3;
  if (limit.rlim_cur > warned) limit.rlim_cur = warned;
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = demote;
  action.sa_flags = SA_RESTART;
  if (sigaction(SIGXCPU, &action, NULL) != 0) return errno;
  return setrlimit(RLIMIT_RTTIME, &limit) == 0 ? 0 : errno;
}

int fx_realtime_from_broker(int priority) {
  bus *system = NULL;
  if (!load()) return ENOSYS;
  if (systemd.open(&system) < 0) return ENOENT;
  systemd.set_timeout(system, 2000000);
  int32_t most = 0;
  int64_t microseconds = 0;
  int code = systemd.get_property(
      system, service, object, service, "MaxRealtimePriority", NULL, 'i', &most);
  if (code >= 0)
    code = systemd.get_property(system, service, object, service, "RTTimeUSecMax", NULL, 'x', &microseconds);
  if (code >= 0 && (most < 1 || microseconds < 1000)) code = -EPERM;
  if (code >= 0) code = -limit_time(microseconds);
  if (code >= 0) {
    uint64_t thread = (uint64_t)syscall(SYS_gettid);
    uint32_t wanted = (uint32_t)(priority < most ? priority : most);
    atomic_store(&promoted, (int)thread);
    code = systemd.call_method(
        system, service, object, service, "MakeThreadRealtime", NULL, NULL, "tu", thread, wanted);
    if (code < 0) atomic_store(&promoted, 0);
  }
  systemd.close(system);
  return code < 0 ? -code : 0;
}
