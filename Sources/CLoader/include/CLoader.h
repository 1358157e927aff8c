// Libraries that are loaded when one of their functions is called first: most runs need few of them,
// and loading all takes longer than rendering a short file.
#pragma once

#include <stdint.h>

/// A library, and those of its functions that the program calls; made by `functions.inc`.
struct fx_library {
  /// Its name as the system's loader knows it.
  const char *_Nonnull file;
  /// The functions' names, each with a zero behind it.
  const char *_Nonnull names;
  /// Where calls of each function go.
  void *_Nonnull *_Nonnull addresses;
  int64_t count;
  /// RTLD_LAZY or RTLD_NOW.
  int64_t mode;
};

/// Loads a library and finds all its functions. Ends the program, as the system's loader does, where
/// that cannot be. From any thread but one that renders, and more than once.
void fx_library_load(const struct fx_library *_Nonnull library);
