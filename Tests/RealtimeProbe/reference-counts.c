// A library to preload: counts the reference counting and allocations of Swift's runtime between
// the hooks of a real-time checker, and prints them if there are any. Swift's runtime must be a
// shared library.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

static __thread int rendering;
static __thread unsigned long retains, releases, allocations;

#define FORWARD(name, counter)                                   \
  void *name(void *object) {                                     \
    static void *(*original)(void *);                            \
    if (!original) original = dlsym(RTLD_NEXT, #name);           \
    if (rendering) counter++;                                    \
    return original(object);                                     \
  }
FORWARD(swift_retain, retains)
FORWARD(swift_release, releases)
FORWARD(swift_bridgeObjectRetain, retains)
FORWARD(swift_bridgeObjectRelease, releases)

void *swift_allocObject(void *metadata, unsigned long size, unsigned long alignment) {
  static void *(*original)(void *, unsigned long, unsigned long);
  if (!original) original = dlsym(RTLD_NEXT, "swift_allocObject");
  if (rendering) allocations++;
  return original(metadata, size, alignment);
}

void __rtsan_realtime_enter(void) {
  retains = releases = allocations = 0;
  rendering = 1;
}

void __rtsan_realtime_exit(void) {
  rendering = 0;
  if (retains | releases | allocations)
    fprintf(stderr, "render: %lu retains, %lu releases, %lu allocations\n", retains, releases,
            allocations);
}
