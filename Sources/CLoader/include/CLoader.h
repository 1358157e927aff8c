// Libraries that are loaded at the first call of one of their functions: most runs need only a few
// of them, and loading all takes longer than rendering a short file.
#pragma once

#include <stdint.h>

/// A library, and the functions of it that the program calls; made by `functions.inc`.
struct fx_library {
  /// Its name for the system's loader.
  const char *_Nonnull file;
  /// The functions' names, each followed by a zero byte.
  const char *_Nonnull names;
  /// The target of the calls of each function.
  void *_Nonnull *_Nonnull addresses;
  int64_t count;
  /// RTLD_LAZY or RTLD_NOW.
  int64_t mode;
};

/// Loads a library and finds all its functions. If that fails, ends the program, as the system's
/// loader does. From any thread except one that renders, and more than once.
void fx_library_load(const struct fx_library *_Nonnull library);
