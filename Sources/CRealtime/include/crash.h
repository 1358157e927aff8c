// Whose code a thread runs, so that a crash in a plugin is told as one.
#pragma once

#include "realtime.h"

/// The URI of the plugin that the calling thread is in; NULL in our own code.
extern __thread const char *fx_plugin_in_charge;

/// Says that a plugin's code runs from here on. The URI must stay where it is.
FX_REALTIME static inline void fx_plugin_enters(const char *uri) { fx_plugin_in_charge = uri; }

/// Says that our own code goes on.
FX_REALTIME static inline void fx_plugin_leaves(void) { fx_plugin_in_charge = 0; }

/// From here on a crash in a plugin's code ends the process with `status` and one line on standard
/// error that names it, instead of by a signal, and removes what files are begun. A crash of our own
/// stays what it is.
void fx_report_plugin_crashes(int status);

/// From here on files that are begun stay under their partial names: a recording is not lost.
void fx_crash_keeps_files(void);

/// Names a file that is begun and what it is called where it is kept, or forgets it again. From any
/// thread; of more than 64 files at once the rest is left as it is.
void fx_crash_file_begins(const char *path, const char *partial);
void fx_crash_file_ends(const char *path);
