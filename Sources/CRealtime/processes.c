#define _GNU_SOURCE
#include "processes.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int argument_count;
static char **arguments;

// glibc calls constructors with the arguments of main.
__attribute__((constructor)) static void keep_arguments(int count, char **words) {
  argument_count = count;
  arguments = words;
}

int fx_argument_count(void) { return argument_count; }

const char *fx_argument(int index) {
  return index >= 0 && index < argument_count ? arguments[index] : NULL;
}

_Static_assert(sizeof(sem_t) <= FX_SEMAPHORE_SIZE, "a semaphore is larger than its place");

int fx_shared_memory_make(size_t size) {
  int descriptor = memfd_create("fxrun", MFD_CLOEXEC);
  if (descriptor < 0) return -errno;
  if (ftruncate(descriptor, (off_t)size) == 0) return descriptor;
  int error = errno;
  close(descriptor);
  return -error;
}

size_t fx_shared_memory_size(int descriptor) {
  struct stat status;
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size < 0) return 0;
  return (size_t)status.st_size;
}

void *fx_shared_memory_map(int descriptor, size_t size) {
  void *memory = mmap(
      NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

void fx_shared_memory_unmap(void *memory, size_t size) { munmap(memory, size); }

void fx_semaphore_prepare_shared(void *semaphore) { sem_init(semaphore, 1, 0); }

int fx_semaphore_await(void *semaphore, double seconds) {
  return fx_semaphore_wait(semaphore, seconds);
}

static const int left_to_parent[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
enum { left_to_parent_count = sizeof left_to_parent / sizeof *left_to_parent };

int fx_process_pipe(int ends[2], int byte_count) {
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  // A refusal does no harm.
  fcntl(ends[1], F_SETPIPE_SZ, byte_count);
  return 0;
}

static int prepare_descriptors(
    posix_spawn_file_actions_t *actions, struct fx_process_streams streams) {
  int error = 0;
  // Pipes have numbers above 3: they are copied before one of those is taken.
  if (streams.input >= 0)
    error = posix_spawn_file_actions_adddup2(actions, streams.input, STDIN_FILENO);
  if (error == 0 && streams.errors >= 0)
    error = posix_spawn_file_actions_adddup2(actions, streams.errors, STDERR_FILENO);
  int output = streams.output >= 0 ? streams.output : STDERR_FILENO;
  if (error == 0 && streams.channel >= 0)
    error = posix_spawn_file_actions_adddup2(actions, streams.channel, FX_CHILD_CHANNEL);
  if (error == 0 && streams.input < 0)
    error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (error == 0) error = posix_spawn_file_actions_adddup2(actions, output, STDOUT_FILENO);
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 34)
  int first = streams.channel >= 0 ? FX_CHILD_CHANNEL + 1 : FX_CHILD_CHANNEL;
  if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(actions, first);
#endif
  return error;
}

static int prepare_signals(posix_spawnattr_t *attributes) {
  sigset_t standard, blocked;
  sigfillset(&standard);
  sigemptyset(&blocked);
  for (int i = 0; i < left_to_parent_count; i++) sigaddset(&blocked, left_to_parent[i]);
  int error = posix_spawnattr_setsigdefault(attributes, &standard);
  if (error == 0) error = posix_spawnattr_setsigmask(attributes, &blocked);
  if (error == 0)
    error = posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  return error;
}

int fx_process_start(
    const char *path, char *const *arguments, char *const *environment,
    struct fx_process_streams streams, int *process, int *watch) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0) return error;
  error = posix_spawnattr_init(&attributes);
  if (error == 0) {
    pid_t started = 0;
    error = prepare_descriptors(&actions, streams);
    if (error == 0) error = prepare_signals(&attributes);
    if (error == 0) error = posix_spawn(&started, path, &actions, &attributes, arguments, environment);
    *process = started;
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  *watch = -1;
#ifdef SYS_pidfd_open
  if (error == 0) *watch = (int)syscall(SYS_pidfd_open, *process, 0);
#endif
  return error;
}

int fx_process_wait(int process, int watch, int milliseconds, int *status) {
  if (watch >= 0) {
    struct pollfd request = {.fd = watch, .events = POLLIN};
    if (poll(&request, 1, milliseconds) <= 0) return 0;
  } else if (milliseconds > 0) {
    struct timespec pause = {.tv_nsec = (milliseconds < 10 ? milliseconds : 10) * 1000000L};
    nanosleep(&pause, NULL);
  }
  pid_t ended;
  do ended = waitpid(process, status, watch >= 0 ? 0 : WNOHANG);
  while (ended < 0 && errno == EINTR);
  if (ended < 0) *status = -1;
  return ended != 0;
}

void fx_process_kill(int process) { kill(process, SIGKILL); }

void fx_process_abort(int process) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/task", process);
  DIR *threads = opendir(path);
  if (!threads) return;
  for (struct dirent *entry; (entry = readdir(threads));) {
    int thread = atoi(entry->d_name);
    if (thread > 0) syscall(SYS_tgkill, process, thread, SIGABRT);
  }
  closedir(threads);
}

void fx_process_follow(int parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
}

void fx_process_ignore_signals(void) {
  sigset_t blocked;
  sigemptyset(&blocked);
  for (int i = 0; i < left_to_parent_count; i++) {
    signal(left_to_parent[i], SIG_IGN);
    sigaddset(&blocked, left_to_parent[i]);
  }
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
  // A runtime that writes its own crash report would delay the end by seconds.
  const int crashes[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGSYS};
  for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
    signal(crashes[i], SIG_DFL);
  sigprocmask(SIG_UNBLOCK, &blocked, NULL);
}

void fx_process_limit_realtime(double seconds) {
  rlim_t microseconds = (rlim_t)(seconds * 1e6);
  struct rlimit limit = {.rlim_cur = microseconds, .rlim_max = microseconds};
  setrlimit(RLIMIT_RTTIME, &limit);
}

void fx_process_limit_files(size_t size) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return;
  if (limit.rlim_cur > size) limit.rlim_cur = size;
  setrlimit(RLIMIT_FSIZE, &limit);
}

static void limit_softly(int resource, rlim_t most) {
  struct rlimit limit;
  if (getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max < most) most = limit.rlim_max;
  limit.rlim_cur = most;
  setrlimit(resource, &limit);
}

void fx_process_limit_memory(size_t size) {
  limit_softly(RLIMIT_AS, size);
  // Half of the usual stack: what fits here fits there.
  limit_softly(RLIMIT_STACK, 4 << 20);
}

void fx_process_limit_processor(int seconds) {
  struct timespec used;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  limit_softly(RLIMIT_CPU, (rlim_t)(used.tv_sec + 1 + seconds));
}

void fx_process_fill_heap(int byte) {
#ifdef M_PERTURB
  char digits[12];
  snprintf(digits, sizeof digits, "%d", byte);
  // `fx_lv2_zero_new_memory` restores this value afterwards.
  setenv("FXRUN_HEAP_FILL", digits, 1);
  mallopt(M_PERTURB, byte);
#endif
}

const char *fx_library_of(const char *symbol) {
  Dl_info info;
  void *address = dlsym(RTLD_DEFAULT, symbol);
  return address && dladdr(address, &info) != 0 ? info.dli_fname : NULL;
}

// glibc has these since 2.32; elsewhere a signal has only its number.
#if defined(__GLIBC_PREREQ) && __GLIBC_PREREQ(2, 32)
const char *fx_signal_name(int signal) { return sigabbrev_np(signal); }
const char *fx_signal_description(int signal) { return sigdescr_np(signal); }
#else
const char *fx_signal_name(int signal) { return NULL; }
const char *fx_signal_description(int signal) { return NULL; }
#endif
