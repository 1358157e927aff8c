// Records whose code a thread runs, so that a crash in a plugin is reported as the plugin's.
#pragma once

#include "boundary.h"
#include "realtime.h"

/// A plugin of a chain. The texts must keep their addresses.
struct fx_plugin_place {
  /// The id of its node; empty outside of a chain.
  const char *node;
  const char *uri;
};

/// The state of a thread that runs plugins. Other threads may read it, and set parts of it.
struct fx_plugin_thread {
  /// NULL in fxrun's own code.
  const struct fx_plugin_place *place;
  int is_stopping;
  /// The plugin that the thread has given up waiting for.
  const struct fx_plugin_place *given_up;
  /// The plugin that started the thread; NULL for a thread of fxrun.
  const struct fx_plugin_place *origin;
  /// True when the owner of the thread is known.
  int is_known;
  /// True when it has its own working folder, and while that is not the original one.
  int is_apart, is_away;
};

extern __thread struct fx_plugin_thread fx_this_plugin_thread;

/// Marks that a plugin's code runs from now on. Returns the argument for `fx_plugin_leaves`.
FX_REALTIME static inline const struct fx_plugin_place *fx_plugin_enters(
    const struct fx_plugin_place *place) {
  const struct fx_plugin_place *before = fx_this_plugin_thread.place;
  __atomic_store_n(&fx_this_plugin_thread.place, place, __ATOMIC_RELEASE);
  return before;
}

/// The plugin that runs here or has started the thread; NULL in fxrun's own code.
FX_REALTIME static inline const struct fx_plugin_place *fx_plugin_here(void) {
  const struct fx_plugin_place *place = fx_this_plugin_thread.place;
  return place ? place : fx_this_plugin_thread.origin;
}

/// Marks that the previous code continues.
FX_REALTIME static inline void fx_plugin_leaves(const struct fx_plugin_place *before) {
  if (__builtin_expect(fx_this_plugin_thread.is_away && !before, 0)) fx_boundary_return();
  __atomic_store_n(&fx_this_plugin_thread.place, before, __ATOMIC_RELEASE);
}

/// The calling thread's state, which other threads may read as long as the thread lives.
static inline struct fx_plugin_thread *fx_plugin_thread_here(void) {
  return &fx_this_plugin_thread;
}

/// The plugin that another thread runs; NULL for none.
static inline const struct fx_plugin_place *fx_plugin_thread_place(struct fx_plugin_thread *thread) {
  return __atomic_load_n(&thread->place, __ATOMIC_ACQUIRE);
}

/// Asks another thread not to wait for a plugin any longer than it must.
static inline void fx_plugin_thread_stop(struct fx_plugin_thread *thread) {
  __atomic_store_n(&thread->is_stopping, 1, __ATOMIC_RELEASE);
}

/// True when another thread has asked the calling thread for that.
FX_REALTIME static inline int fx_plugin_is_stopping(void) {
  return __atomic_load_n(&fx_this_plugin_thread.is_stopping, __ATOMIC_ACQUIRE);
}

/// Records that the calling thread has given up on its current plugin, which
/// `fx_plugin_given_up` returns.
FX_REALTIME static inline void fx_plugin_gives_up(void) {
  fx_this_plugin_thread.given_up = fx_this_plugin_thread.place;
}
static inline const struct fx_plugin_place *fx_plugin_given_up(void) {
  return fx_this_plugin_thread.given_up;
}

/// From now on a crash in a plugin's code, or in a thread that it has started, ends the process
/// with `status` and one line on standard error that names the plugin, instead of with a signal.
/// The same happens when a plugin calls `exit`, which nothing else does. Unfinished files are
/// removed, or kept. A crash of fxrun's own code treats these files in the same way and stays a
/// crash. Processes that plugins fork are not affected.
void fx_report_plugin_crashes(int status);

/// From now on the line is a JSON object, written to this descriptor.
void fx_report_plugin_crashes_as_json(int descriptor);

/// Gives the calling thread a stack for crash handling, and records the plugin that started it.
void fx_crash_thread_begins(const struct fx_plugin_place *origin);

/// Records that the new libraries of the process came with a plugin: a crash in their code is the
/// plugin's crash on any thread.
void fx_crash_libraries_of(const struct fx_plugin_place *place);

/// Call this in place of `_exit`: reports a plugin that has called it, or ends the process.
_Noreturn void fx_plugin_exits(int status);

/// From now on unfinished files are kept under their partial names, so that a recording is not
/// lost.
void fx_crash_keeps_files(void);

/// Registers an unfinished file, with the start and the end of its partial name (as for
/// `fx_keep_partial`), or removes it from the list. From any thread. The list has room for 1024
/// files; others are ignored.
void fx_crash_file_begins(const char *path, const char *stem, const char *end);
void fx_crash_file_ends(const char *path);

/// Keeps or removes all unfinished files, for a process that ends at once. From any thread and any
/// signal handler.
void fx_crash_files_leave(void);
