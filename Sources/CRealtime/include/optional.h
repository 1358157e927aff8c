// Libraries that need not be installed.
#pragma once

/// Opens the first library of `files` that is installed and stores the addresses of the functions
/// `names` in `table`, in this order. Both lists end with NULL. Returns 0 where no library is
/// installed or a function is missing.
int fx_open_library(const char *const *files, const char *const *names, void *table);
