#define _GNU_SOURCE
#include "CLoader.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "boundary.h"
#include "crash.h"
#include "terminal.h"

static _Noreturn void end(void) {
  const char *reason = dlerror();
  fx_terminal_restore();
  fx_crash_files_leave();
  dprintf(fx_boundary_error_stream(), "error: a library cannot be loaded: %s\n", reason);
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
