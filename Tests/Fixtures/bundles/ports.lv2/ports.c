// Has a port of every kind and counts those that break the standard's guarantees.
#include "../plugin.h"

#include <lv2/atom/atom.h>
#include <lv2/urid/urid.h>

enum {
  IN_LEFT, IN_RIGHT, KEY, OUT_LEFT, OUT_RIGHT, EVENTS, ANSWERS, VOLTAGE, FOLLOW, ENABLED, OFFLINE,
  TASTE, FAULTS, STATE
};

typedef struct {
  Ports ports;
  LV2_URID sequence, chunk;
  int activated;
} All;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  All *self = calloc(1, sizeof(All));
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  self->sequence = map->map(map->handle, LV2_ATOM__Sequence);
  self->chunk = map->map(map->handle, LV2_ATOM__Chunk);
  return self;
}

static void activate(LV2_Handle instance) { ((All *)instance)->activated++; }

static void run(LV2_Handle instance, uint32_t frames) {
  All *self = (All *)instance;
  float **ports = self->ports.ports;
  const LV2_Atom_Sequence *events = (const LV2_Atom_Sequence *)ports[EVENTS];
  LV2_Atom_Sequence *answers = (LV2_Atom_Sequence *)ports[ANSWERS];
  float faults = 0;
  faults += self->activated != 1;
  faults += events->atom.type != self->sequence || events->atom.size != sizeof(LV2_Atom_Sequence_Body);
  faults += answers->atom.type != self->chunk || answers->atom.size < 100000 - sizeof(LV2_Atom);
  faults += ports[TASTE] != NULL;
  for (uint32_t i = 0; i < frames; i++) {
    faults += ports[VOLTAGE][i] != 0.25f;
    ports[FOLLOW][i] = 1;
    ports[OUT_LEFT][i] = ports[IN_LEFT][i] + ports[KEY][i];
    ports[OUT_RIGHT][i] = ports[IN_RIGHT][i] + ports[KEY][i];
  }
  // Fills all of the output buffer.
  uint32_t room = answers->atom.size;
  memset(answers + 1, 0x55, room - sizeof(LV2_Atom_Sequence_Body));
  answers->atom.type = self->sequence;
  *ports[FAULTS] = faults;
  *ports[STATE] = *ports[ENABLED] * 10 + *ports[OFFLINE];
}

PLUGIN("urn:fxrun:test:ports", instantiate, activate, run, NULL)
