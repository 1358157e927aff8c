// Replacements for calls with which plugins could harm the rest of their process. A new thread is
// recorded as the plugin's, a new working folder is for the calling thread only, and only the
// plugin's own files are closed. The program defines the C library's functions and calls these.
#pragma once

#include "realtime.h"

#include <stddef.h>
#include <stdint.h>

/// Starts a thread as `pthread_create` does. It belongs to the plugin that runs on the calling
/// thread. Its crashes are handled on a separate stack, so that a stack overflow is caught too.
int fx_boundary_thread(
    void *thread, const void *attributes, void *(*body)(void *), void *argument);

/// `chdir` and `fchdir`. For a plugin they affect the calling thread only, until the plugin's call
/// ends. They fail where the system cannot do that.
int fx_boundary_chdir(const char *path);
int fx_boundary_fchdir(int descriptor);

/// `close` and `close_range`. For a plugin they do not close files that no plugin has opened; the
/// first attempt gives a warning.
int fx_boundary_close(int descriptor);
int fx_boundary_close_range(unsigned first, unsigned last, int flags);

/// Keeps a copy of standard error under a high number, whatever plugins close.
void fx_boundary_keep_errors(void);

/// Stores the working folder to return to.
void fx_boundary_begin(void);

/// Returns the calling thread to it.
FX_REALTIME void fx_boundary_return(void);

/// Records that all open files do not belong to plugins, except those that a plugin opened while it
/// was instantiated. On one thread at a time.
void fx_boundary_note_files(void);

/// The same around a call of a plugin: files that are opened in between belong to the plugin.
void fx_boundary_files_before(void);
void fx_boundary_files_after(void);

/// True when a recorded file is no longer open, although fxrun has not closed it.
int fx_boundary_has_lost_files(void);

/// Where errors are written, even after standard error has been closed.
int fx_boundary_error_stream(void);
