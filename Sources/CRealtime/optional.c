#include "optional.h"

#include <dlfcn.h>
#include <string.h>

int fx_open_library(const char *const *files, const char *const *names, void *table) {
  void *library = NULL;
  for (; *files && !library; files++) library = dlopen(*files, RTLD_LAZY | RTLD_LOCAL);
  if (!library) return 0;
  char *place = table;
  for (; *names; names++, place += sizeof(void *)) {
    void *address = dlsym(library, *names);
    if (!address) return 0;
    memcpy(place, &address, sizeof address);
  }
  return 1;
}
