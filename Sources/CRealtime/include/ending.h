// Ends a process safely while plugins clean up.
#pragma once

/// From now on a crash in any thread, or a delay of more than `seconds`, ends the process with
/// `status` and one line on standard error, instead of with a signal. `fx_ending_of` sets the
/// subject of the line. For the very end, when all results have been written.
void fx_end_despite_crashes(int status, unsigned seconds);

/// Ends the process as for a crash, if that has begun: a plugin has called `exit`.
void fx_end_after_exit(void);

/// Sets what is being ended now, for the line: `LV2 plugin 'URI'`. The text must keep its address.
void fx_ending_of(const char *name);
