// How a process comes to its end when other people's code has the last word.
#pragma once

/// From here on a crash in any thread, or more than so many seconds, ends the process with `status`
/// and one line on standard error, instead of by a signal. What is to be told is set by
/// `fx_ending_of`. For the very end, when all that counts has been written.
void fx_end_despite_crashes(int status, unsigned seconds);

/// Where that has begun, ends the process as for a crash: somebody has called `exit`.
void fx_end_after_exit(void);

/// Says what is being ended now, for the line: `LV2 plugin 'URI'`. The text must stay where it is.
void fx_ending_of(const char *name);
