// The memory of a process that plays: locked, and never given back to the kernel while it plays.
#pragma once

/// Locks present and future memory, and keeps it out of huge pages, whose collector moves it.
/// Returns 0 or an errno value.
int fx_lock_memory(void);

/// Unlocks what `fx_lock_memory` has locked.
void fx_unlock_memory(void);

/// From here on, freed memory stays in the process for later allocations, until as many calls of
/// `fx_return_freed_memory` have followed.
///
/// To unmap a locked megabyte, the kernel keeps its processor for as long as 16 frames last.
void fx_keep_freed_memory(void);

/// Gives freed memory back to the kernel, and does so from here on.
void fx_return_freed_memory(void);
