// Signals that end a process by default.
#pragma once

/// From now on every signal that would end the process, except those of crashes, asks it to end as
/// SIGTERM does. Signals that the caller ignores stay ignored. A handler that is set later replaces
/// this one.
void fx_signals_end_in_order(void);
