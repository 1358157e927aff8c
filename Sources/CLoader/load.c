#define _GNU_SOURCE
#include "CLoader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void end(void) {
  dprintf(STDERR_FILENO, "error: a library cannot be loaded: %s\n", dlerror());
  _exit(127);
}

void fx_library_load(const struct fx_library *library) {
  void *handle = dlopen(library->file, (int)library->mode | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle) end();
  const char *name = library->names;
  for (int64_t i = 0; i < library->count; i++) {
    void *address = dlsym(handle, name);
    if (!address) end();
    __atomic_store_n(&library->addresses[i], address, __ATOMIC_RELEASE);
    name += strlen(name) + 1;
  }
}
