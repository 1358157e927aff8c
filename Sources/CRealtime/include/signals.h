// Signals that end a process by default.
#pragma once

/// From here on every signal that would end the process, other than those of crashes, asks it to end as
/// SIGTERM does. What the caller ignores stays ignored. A handler that is set later takes its place.
void fx_signals_end_in_order(void);
