#define _GNU_SOURCE
#include "CLoader.h"

#include <dlfcn.h>
#include <string.h>

#include "crash.h"

void fx_library_load(const struct fx_library *library) {
  void *handle = dlopen(library->file, (int)library->mode | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) fx_end_without_library(dlerror());
  const char *name = library->names;
  for (int64_t i = 0; i < library->count; i++) {
    void *address = dlsym(handle, name);
    if (!address) fx_end_without_library(dlerror());
    __atomic_store_n(&library->addresses[i], address, __ATOMIC_RELEASE);
    name += strlen(name) + 1;
  }
}
