// Processes that share memory with fxrun: functions that Swift cannot express, for starting,
// watching and synchronizing them.
#pragma once

#include "realtime.h"

#include <stddef.h>
#include <stdint.h>

/// Makes memory without a name, which disappears with the last process that has it. Returns a
/// descriptor that no started program inherits, or -errno.
int fx_shared_memory_make(size_t size);

/// The size of such memory in bytes; 0 for any other descriptor.
size_t fx_shared_memory_size(int descriptor);

/// Maps all of it, with every page present. NULL on failure.
void *fx_shared_memory_map(int descriptor, size_t size);
void fx_shared_memory_unmap(void *memory, size_t size);

/// Bytes of a semaphore in shared memory.
#define FX_SEMAPHORE_SIZE 64

/// Prepares a semaphore that processes share, at a count of 0.
void fx_semaphore_prepare_shared(void *semaphore);

/// `fx_semaphore_wait` where the render thread has to wait: offline.
FX_REALTIME int fx_semaphore_await(void *semaphore, double seconds);

/// The number that `fx_process_start` gives the channel's descriptor in the child.
#define FX_CHILD_CHANNEL 3

/// Makes a large pipe for a child: `ends` receives the read end and the write end. Returns 0 or an
/// errno value.
int fx_process_pipe(int ends[2], int byte_count);

/// Descriptors for a child; -1 for each that is not given.
struct fx_process_streams {
  /// Its standard input; otherwise an empty one.
  int input;
  /// Its standard output; otherwise its output goes to standard error.
  int output;
  /// Its standard error; otherwise that of this process.
  int errors;
  /// Becomes FX_CHILD_CHANNEL.
  int channel;
};

/// Starts a program with these descriptors, and every other one closed. Ctrl-C and similar signals
/// are blocked until the program has set their handling. `arguments` and `environment` end with
/// NULL.
///
/// Returns 0 or an errno value. `watch` receives a descriptor for `fx_process_wait`, -1 where the
/// kernel does not support one.
int fx_process_start(
    const char *path, char *const *arguments, char *const *environment,
    struct fx_process_streams streams, int *process, int *watch);

/// Waits up to `milliseconds` for a child's end, and collects its status. Returns 1 when it has
/// ended (`status` is -1 when something else collected it), 0 while it runs.
int fx_process_wait(int process, int watch, int milliseconds, int *status);

/// Kills a child whose end `fx_process_wait` has not reported.
void fx_process_kill(int process);

/// Sends SIGABRT to a child whose end `fx_process_wait` has not reported.
void fx_process_abort(int process);

/// In a child: end with the thread that started it; at once when `parent` has already ended.
void fx_process_follow(int parent);

/// In a child: leave Ctrl-C, hang-ups and requests to end to the parent, get errors instead of
/// signals for broken pipes and full files, and end at once on a crash.
void fx_process_ignore_signals(void);

/// Keeps a process with realtime scheduling from occupying a processor forever.
void fx_process_limit_realtime(double seconds);

/// Limits the files of the process to `size` bytes each.
void fx_process_limit_files(size_t size);

/// Limits the mapped memory of the process to `size` bytes, and the stack of its first thread.
void fx_process_limit_memory(size_t size);

/// Ends the process with SIGXCPU once it has used `seconds` more of processor time.
void fx_process_limit_processor(int seconds);

/// Fills newly allocated memory with a value that depends on `byte`, and freed memory with `byte`,
/// where the C library can (glibc); 0 stops it.
void fx_process_fill_heap(int byte);

/// The arguments of this process, as the loader gave them: /proc is not needed. NULL behind the last.
int fx_argument_count(void);
const char *fx_argument(int index);

/// The build ID that the linker gave this program: the number of its bytes, 0 without one.
size_t fx_build_id(const unsigned char **bytes);

/// The file of the library that contains a function; NULL for none.
const char *fx_library_of(const char *symbol);

/// `SIGSEGV` and `segmentation fault` for a signal's number; NULL for none.
const char *fx_signal_name(int signal);
const char *fx_signal_description(int signal);
