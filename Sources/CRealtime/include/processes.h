// Processes that share memory with us: what Swift cannot say of starting one, watching it and
// meeting it in memory.
#pragma once

#include "realtime.h"

#include <stddef.h>
#include <stdint.h>

/// Makes memory that has no name and is gone with the last process that has it. Returns a
/// descriptor that no program we start inherits, or -errno.
int fx_shared_memory_make(size_t size);

/// Bytes behind the descriptor of such memory; 0 when it is none.
size_t fx_shared_memory_size(int descriptor);

/// Maps all of it, every page touched. NULL when that cannot be.
void *fx_shared_memory_map(int descriptor, size_t size);
void fx_shared_memory_unmap(void *memory, size_t size);

/// Bytes of a semaphore in shared memory.
#define FX_SEMAPHORE_SIZE 64

/// Prepares a semaphore that processes share, at a count of 0.
void fx_semaphore_prepare_shared(void *semaphore);

/// `fx_semaphore_wait` where the render thread has to wait: offline.
FX_REALTIME int fx_semaphore_await(void *semaphore, double seconds);

/// The number that `fx_process_start` gives the memory's descriptor in the child.
#define FX_CHILD_MEMORY 3

/// Makes a roomy pipe for a child: `ends` receives the end to read and the end to write. Returns 0 or an
/// errno value.
int fx_process_pipe(int ends[2]);

/// Descriptors that a child gets; -1 for each that is not given.
struct fx_process_streams {
  /// Its standard input; otherwise it has an empty one.
  int input;
  /// Its standard output; otherwise what it prints goes to standard error.
  int output;
  /// Its standard error; otherwise that of this process.
  int errors;
  /// Becomes FX_CHILD_MEMORY.
  int memory;
};

/// Starts a program with these descriptors and every other one closed; Ctrl-C and its like are blocked
/// until it has decided about them. `arguments` and `environment` end with NULL.
///
/// Returns 0 or an errno value. `watch` receives a descriptor for `fx_process_wait`, -1 where the
/// kernel has none.
int fx_process_start(
    const char *path, char *const *arguments, char *const *environment,
    struct fx_process_streams streams, int *process, int *watch);

/// Waits so many milliseconds for a child's end and takes its status. Returns 1 when it has ended
/// (`status` is -1 when somebody else took it), 0 when it runs on.
int fx_process_wait(int process, int watch, int milliseconds, int *status);

/// Ends a child that `fx_process_wait` has not seen end.
void fx_process_kill(int process);

/// In a child: end with the thread that started us; at once when `parent` is gone already.
void fx_process_follow(int parent);

/// In a child: leave Ctrl-C, hang-ups and requests to end to the parent, get errors instead of signals
/// for broken pipes and full files, and let a crash be the end at once.
void fx_process_ignore_signals(void);

/// Keeps a process that is allowed to be scheduled in real time from holding a processor for good.
void fx_process_limit_realtime(double seconds);

/// Lets the process make no file longer than so many bytes.
void fx_process_limit_files(size_t size);

/// Lets the process map no more than so many bytes, and its first thread use little stack.
void fx_process_limit_memory(size_t size);

/// Ends the process with SIGXCPU when it computes for so many seconds more.
void fx_process_limit_processor(int seconds);

/// Fills memory that is allocated from here on with something that depends on `byte`, and with `byte`
/// what is freed, where the C library can (glibc); 0 stops it.
void fx_process_fill_heap(int byte);

/// The file of the library that a function is from; NULL for none.
const char *fx_library_of(const char *symbol);

/// `SIGSEGV` and `segmentation fault` for a signal's number; NULL for none.
const char *fx_signal_name(int signal);
const char *fx_signal_description(int signal);
