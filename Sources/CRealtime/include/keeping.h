// Files that stay under a name that nothing else has, whatever ends the process.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Renames a file to `STEM.partialEND`, or to `STEM.partial-2END` and so on where that is taken, and
/// never over another file. `taken` receives the name. Returns 0 or an errno value.
///
/// Uses nothing that a signal handler may not.
int fx_keep_partial(
    const char *path, const char *stem, const char *end, char *taken, size_t taken_size);

/// Has two files or folders change names, so that each name is always there. Returns 0 or an errno
/// value, EINVAL or ENOSYS where the file system cannot do that.
int fx_exchange_names(const char *path, const char *other);

/// Asks the file system for room in a file that is to be written soon; its length stays. Returns 0 or an
/// errno value.
int fx_reserve_file(int descriptor, int64_t offset, int64_t byte_count);

/// Has the system begin to write a part of a file to the disk, and waits for nothing.
void fx_start_writing(int descriptor, int64_t offset, int64_t byte_count);
