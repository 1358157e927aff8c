// Replacements for calls with which plugins could harm the rest of their process. A new thread is
// recorded as the plugin's, and a new working folder is for the calling thread only. The program
// defines the C library's functions and calls these.
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

/// Keeps a copy of standard error under a high number, whatever plugins close.
void fx_boundary_keep_errors(void);

/// Stores the working folder to return to.
void fx_boundary_begin(void);

/// Returns the calling thread to it.
FX_REALTIME void fx_boundary_return(void);

/// True when a plugin has closed all files of the process: the one of the working folder is gone.
int fx_boundary_has_lost_files(void);

/// Where errors are written, even after standard error has been closed.
int fx_boundary_error_stream(void);
