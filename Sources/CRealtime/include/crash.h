// Whose code a thread runs, so that a crash in a plugin is told as one.
#pragma once

#include "boundary.h"
#include "realtime.h"

/// A plugin of a chain. The texts must stay where they are.
struct fx_plugin_place {
  /// The id of its node; empty outside of a chain.
  const char *node;
  const char *uri;
};

/// What a thread tells others of the plugin that it runs, and is told by them.
struct fx_plugin_thread {
  /// NULL in our own code.
  const struct fx_plugin_place *place;
  int is_stopping;
  /// What it has given up waiting for.
  const struct fx_plugin_place *given_up;
  /// The plugin that has started the thread; NULL for one of ours.
  const struct fx_plugin_place *origin;
  /// True when it is known whose thread it is.
  int is_known;
  /// True when it has a working folder of its own, and when that is not where it was at first.
  int is_apart, is_away;
};

extern __thread struct fx_plugin_thread fx_this_plugin_thread;

/// Says that a plugin's code runs from here on. Returns what `fx_plugin_leaves` takes.
FX_REALTIME static inline const struct fx_plugin_place *fx_plugin_enters(
    const struct fx_plugin_place *place) {
  const struct fx_plugin_place *before = fx_this_plugin_thread.place;
  __atomic_store_n(&fx_this_plugin_thread.place, place, __ATOMIC_RELEASE);
  return before;
}

/// The plugin that runs here or has started the thread; NULL in our own code.
FX_REALTIME static inline const struct fx_plugin_place *fx_plugin_here(void) {
  const struct fx_plugin_place *place = fx_this_plugin_thread.place;
  return place ? place : fx_this_plugin_thread.origin;
}

/// Says that the code goes on that was there before.
FX_REALTIME static inline void fx_plugin_leaves(const struct fx_plugin_place *before) {
  if (__builtin_expect(fx_this_plugin_thread.is_away && !before, 0)) fx_boundary_return();
  __atomic_store_n(&fx_this_plugin_thread.place, before, __ATOMIC_RELEASE);
}

/// The calling thread as others may look at it, for as long as it lives.
static inline struct fx_plugin_thread *fx_plugin_thread_here(void) {
  return &fx_this_plugin_thread;
}

/// Where another thread is; NULL for no plugin.
static inline const struct fx_plugin_place *fx_plugin_thread_place(struct fx_plugin_thread *thread) {
  return __atomic_load_n(&thread->place, __ATOMIC_ACQUIRE);
}

/// Asks another thread not to wait for a plugin any longer than it must.
static inline void fx_plugin_thread_stop(struct fx_plugin_thread *thread) {
  __atomic_store_n(&thread->is_stopping, 1, __ATOMIC_RELEASE);
}

/// True when somebody has asked the calling thread for that.
FX_REALTIME static inline int fx_plugin_is_stopping(void) {
  return __atomic_load_n(&fx_this_plugin_thread.is_stopping, __ATOMIC_ACQUIRE);
}

/// Notes that the calling thread has given up on the plugin that it is in, and which that was.
FX_REALTIME static inline void fx_plugin_gives_up(void) {
  fx_this_plugin_thread.given_up = fx_this_plugin_thread.place;
}
static inline const struct fx_plugin_place *fx_plugin_given_up(void) {
  return fx_this_plugin_thread.given_up;
}

/// From here on a crash in a plugin's code, or in a thread that it has started, ends the process with
/// `status` and one line on standard error that names it, instead of by a signal; so does a plugin that
/// calls `exit`, which nobody else does. Files that are begun are removed, or kept. A crash of our own
/// does the same to them and stays a crash. Processes that plugins fork are left alone.
void fx_report_plugin_crashes(int status);

/// From here on the line is a JSON object, written to this descriptor.
void fx_report_plugin_crashes_as_json(int descriptor);

/// Gives the calling thread a stack for what is done when it crashes, and says who has started it.
void fx_crash_thread_begins(const struct fx_plugin_place *origin);

/// Notes that the libraries that are new in the process came with a plugin: a crash in their code is
/// its crash on any thread.
void fx_crash_libraries_of(const struct fx_plugin_place *place);

/// Prints one warning of a plugin, the first that there is. From any thread and any signal handler.
void fx_crash_warn(const struct fx_plugin_place *place, const char *what);

/// To be called in place of `_exit`: reports a plugin that has called it, or ends the process.
_Noreturn void fx_plugin_exits(int status);

/// From here on files that are begun stay under their partial names: a recording is not lost.
void fx_crash_keeps_files(void);

/// Names a file that is begun and what the name begins and ends with under which it is kept (as for
/// `fx_keep_partial`), or forgets it again. From any thread; of more than 1024 files at once the rest
/// is left as it is.
void fx_crash_file_begins(const char *path, const char *stem, const char *end);
void fx_crash_file_ends(const char *path);

/// Keeps or removes all files that are begun, for a process that ends at once. From any thread and any
/// signal handler.
void fx_crash_files_leave(void);

/// Ends the process with status 127 and with why a library cannot be loaded: text, or JSON where crashes of
/// plugins are reported as such. Files that are begun are left as by `fx_crash_files_leave`. From any
/// thread.
_Noreturn void fx_end_without_library(const char *reason);
