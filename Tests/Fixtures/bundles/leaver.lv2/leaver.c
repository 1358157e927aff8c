// Ends the whole program. In `run`, after the number of frames in its control port, by `exit`, by
// `_Exit`, by `quick_exit`, or by `exit` in a thread of its own; or during instantiation or cleanup. One plugin ends
// only a process that it forks, which is harmless. Until then it copies its input.
#include "../plugin.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { IN, OUT, AT };

typedef struct {
  Ports ports;
  const char *uri;
  float seen;
} Leaver;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  if (strstr(descriptor->URI, "instantiate")) exit(0);
  Leaver *self = calloc(1, sizeof(Leaver));
  self->uri = descriptor->URI;
  return self;
}

static void *leave(void *unused) {
  exit(5);
  return unused;
}

static void end(const char *uri) {
  pthread_t thread;
  pid_t child;
  if (strstr(uri, "now")) _Exit(9);
  if (strstr(uri, "quick")) quick_exit(0);
  if (strstr(uri, "thread")) {
    if (pthread_create(&thread, NULL, leave, NULL) == 0) pthread_join(thread, NULL);
  } else if (strstr(uri, "fork")) {
    child = fork();
    if (child == 0) exit(1);
    waitpid(child, NULL, 0);
    child = fork();
    if (child == 0) _exit(1);
    waitpid(child, NULL, 0);
    child = fork();
    if (child == 0) abort();
    waitpid(child, NULL, 0);
  } else {
    exit(7);
  }
}

static void run(LV2_Handle instance, uint32_t frames) {
  Leaver *self = (Leaver *)instance;
  float **ports = self->ports.ports;
  memmove(ports[OUT], ports[IN], frames * sizeof(float));
  if (self->seen <= *ports[AT] && self->seen + (float)frames > *ports[AT]) end(self->uri);
  self->seen += (float)frames;
}

static void clean(LV2_Handle instance) {
  free(instance);
  exit(0);
}

#define ENTRY(uri, cleanup) {uri, instantiate, connect_port, NULL, run, NULL, cleanup, NULL}

static const LV2_Descriptor descriptors[] = {
    ENTRY("urn:fxrun:test:leaver", cleanup),
    ENTRY("urn:fxrun:test:leaver:now", cleanup),
    ENTRY("urn:fxrun:test:leaver:quick", cleanup),
    ENTRY("urn:fxrun:test:leaver:instantiate", cleanup),
    ENTRY("urn:fxrun:test:leaver:cleanup", clean),
    ENTRY("urn:fxrun:test:leaver:thread", cleanup),
    ENTRY("urn:fxrun:test:leaver:fork", cleanup),
};

LV2_SYMBOL_EXPORT const LV2_Descriptor *lv2_descriptor(uint32_t index) {
  return index < sizeof descriptors / sizeof *descriptors ? &descriptors[index] : NULL;
}
