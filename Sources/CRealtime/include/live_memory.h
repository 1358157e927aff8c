// The memory of a process that plays: locked, and never returned to the kernel while it plays.
#pragma once

/// Locks present and future memory, and disables huge pages, because the kernel moves memory to
/// form them. Returns 0 or an errno value.
int fx_lock_memory(void);

/// Unlocks what `fx_lock_memory` has locked, if it was called as often as that one succeeded.
void fx_unlock_memory(void);

/// From now on freed memory stays in the process for later allocations, until
/// `fx_return_freed_memory` has been called as often as this function.
///
/// Unmapping a locked megabyte occupies a processor in the kernel for the duration of 16 frames.
void fx_keep_freed_memory(void);

/// Undoes a call of `fx_keep_freed_memory`. After the last one, freed memory is returned to the
/// kernel, now and from now on.
void fx_return_freed_memory(void);
