// Logs when it is instantiated and in `run`.
#include "../plugin.h"

#include <lv2/log/log.h>
#include <lv2/urid/urid.h>

typedef struct {
  Ports ports;
  LV2_Log_Log *log;
  LV2_URID error, trace;
} Chatty;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Chatty *self = calloc(1, sizeof(Chatty));
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  self->log = feature(features, LV2_LOG__log);
  self->error = map->map(map->handle, LV2_LOG__Error);
  self->trace = map->map(map->handle, LV2_LOG__Trace);
  self->log->printf(self->log->handle, self->error, "made for %d Hz (%s)\n", (int)rate, "so it is");
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Chatty *self = (Chatty *)instance;
  memmove(self->ports.ports[1], self->ports.ports[0], frames * sizeof(float));
  self->log->printf(self->log->handle, self->trace, "ran %u frames", frames);
}

PLUGIN("urn:fxrun:test:chatty", instantiate, NULL, run, NULL)
