// Keeps files under free names, however the process ends.
#pragma once

#include <stddef.h>
#include <stdint.h>

/// Renames a file to `STEM.partialEND`, or to `STEM.partial-2END` and so on where that name exists;
/// never replaces another file. `taken` receives the name. Returns 0 or an errno value.
///
/// Uses only async-signal-safe functions.
int fx_keep_partial(
    const char *path, const char *stem, const char *end, char *taken, size_t taken_size);

/// Exchanges the names of two files or folders, so that each name always exists. Returns 0 or an
/// errno value, EINVAL or ENOSYS where the file system cannot do that.
int fx_exchange_names(const char *path, const char *other);

/// Reserves space in a file that is written soon; the file's length does not change. Returns 0 or
/// an errno value.
int fx_reserve_file(int descriptor, int64_t offset, int64_t byte_count);

/// Makes the system start writing a part of a file to the disk, and does not wait for it.
void fx_start_writing(int descriptor, int64_t offset, int64_t byte_count);
