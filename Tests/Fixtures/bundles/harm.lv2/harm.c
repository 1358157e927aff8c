// Harms the whole process as its URI says: during instantiation or in its first `run`, in the
// caller's thread or in its own. Apart from that it copies its input.
#define _GNU_SOURCE
#include "../plugin.h"

#include <alloca.h>
#include <pthread.h>
#include <unistd.h>

enum { IN, OUT };

typedef struct {
  Ports ports;
  const char *uri;
  int has_run;
} Harm;

static volatile int result;

static __attribute__((noinline)) int overflow(int depth) {
  volatile char room[4096];
  room[0] = (char)depth;
  if (depth >= 0) result = overflow(depth + 1);
  return room[0] + result;
}

static __attribute__((noinline)) void reserve(size_t size) {
  volatile char *memory = alloca(size);
  memory[0] = 1;
  result = memory[0];
}

static void *overflowing(void *unused) {
  overflow(0);
  return unused;
}

static void *crashing(void *unused) {
  *(volatile int *)8 = 1;
  return unused;
}

static void *aborting(void *unused) {
  abort();
  return unused;
}

static void start(void *(*body)(void *)) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, body, NULL) == 0) pthread_join(thread, NULL);
}

static void harm(const char *uri) {
  if (strstr(uri, "overflow:thread")) start(overflowing);
  else if (strstr(uri, "overflow")) overflow(0);
  else if (strstr(uri, "alloca")) reserve((size_t)2 << 30);
  else if (strstr(uri, "crash:thread")) start(crashing);
  else if (strstr(uri, "abort:thread")) start(aborting);
  else if (strstr(uri, "moves") && chdir("/") != 0) abort();
  else if (strstr(uri, "closes")) for (int i = 0; i <= 100; i++) close(i);
}

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Harm *self = calloc(1, sizeof(Harm));
  self->uri = descriptor->URI;
  if (strstr(self->uri, "instantiate")) harm(self->uri);
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Harm *self = (Harm *)instance;
  memmove(self->ports.ports[OUT], self->ports.ports[IN], frames * sizeof(float));
  if (!self->has_run && !strstr(self->uri, "instantiate")) harm(self->uri);
  self->has_run = 1;
}

#define ENTRY(uri) {uri, instantiate, connect_port, NULL, run, NULL, cleanup, NULL}

static const LV2_Descriptor descriptors[] = {
    ENTRY("urn:fxrun:test:harm:overflow"),
    ENTRY("urn:fxrun:test:harm:overflow:instantiate"),
    ENTRY("urn:fxrun:test:harm:overflow:thread"),
    ENTRY("urn:fxrun:test:harm:alloca"),
    ENTRY("urn:fxrun:test:harm:alloca:instantiate"),
    ENTRY("urn:fxrun:test:harm:crash:thread"),
    ENTRY("urn:fxrun:test:harm:abort:thread"),
    ENTRY("urn:fxrun:test:harm:crash:thread:instantiate"),
    ENTRY("urn:fxrun:test:harm:moves"),
    ENTRY("urn:fxrun:test:harm:moves:instantiate"),
    ENTRY("urn:fxrun:test:harm:closes"),
    ENTRY("urn:fxrun:test:harm:closes:instantiate"),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
