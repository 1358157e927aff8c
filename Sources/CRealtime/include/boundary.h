// What plugins ask of the process that they run in, answered so that it does the rest of it no harm:
// a thread that is known for the plugin's, a working folder for the thread alone, and no closing of
// files that are not the plugin's. The program defines the C library's functions and calls these.
#pragma once

#include "realtime.h"

#include <stddef.h>
#include <stdint.h>

/// Starts a thread as `pthread_create` does. It belongs to the plugin that runs on the calling thread,
/// and its crashes are caught on a stack of their own, also when its stack is what overflows.
int fx_boundary_thread(
    void *thread, const void *attributes, void *(*body)(void *), void *argument);

/// `chdir` and `fchdir`. A plugin moves none but the calling thread, and no farther than to the end of
/// its call; where the system cannot do that it is refused.
int fx_boundary_chdir(const char *path);
int fx_boundary_fchdir(int descriptor);

/// `close` and `close_range`. A plugin is refused what it has not opened, with a warning the first
/// time.
int fx_boundary_close(int descriptor);
int fx_boundary_close_range(unsigned first, unsigned last, int flags);

/// Keeps standard error under a high number, whatever plugins close.
void fx_boundary_keep_errors(void);

/// Remembers the working folder as the one to return to.
void fx_boundary_begin(void);

/// Takes the calling thread back to it.
FX_REALTIME void fx_boundary_return(void);

/// Notes that every file that is open now is not a plugin's, but for those that a plugin opened while
/// it was made. On one thread at a time.
void fx_boundary_note_files(void);

/// The same around a call of a plugin: what is open behind it and was not before is the plugin's.
void fx_boundary_files_before(void);
void fx_boundary_files_after(void);

/// True when a file that is noted is not open any more, although nobody of ours has closed it.
int fx_boundary_has_lost_files(void);

/// Where errors are written when standard error has been closed.
int fx_boundary_error_stream(void);
