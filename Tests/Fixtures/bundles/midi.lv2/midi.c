// Outputs the MIDI that it receives: an impulse of velocity / 127 at the frame of each note on, and
// on its second output a number for every other message.
#include "../plugin.h"

#include <lv2/atom/util.h>
#include <lv2/midi/midi.h>
#include <lv2/urid/urid.h>

enum { OTHER, CONTROL, NOTES, OTHERS, COUNT, TWICE, UNORDERED, STRAYS };

typedef struct {
  Ports ports;
  LV2_URID midi;
  float count, twice, unordered, strays;
  char sounds[16][128];
} Midi;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Midi *self = calloc(1, sizeof(Midi));
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  self->midi = map->map(map->handle, LV2_MIDI__MidiEvent);
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Midi *self = (Midi *)instance;
  float **ports = self->ports.ports;
  memset(ports[NOTES], 0, frames * sizeof(float));
  memset(ports[OTHERS], 0, frames * sizeof(float));
  LV2_ATOM_SEQUENCE_FOREACH((LV2_Atom_Sequence *)ports[OTHER], event) self->strays++;
  int64_t last = 0;
  LV2_ATOM_SEQUENCE_FOREACH((LV2_Atom_Sequence *)ports[CONTROL], event) {
    int64_t frame = event->time.frames;
    if (event->body.type != self->midi || frame < 0 || frame >= frames) {
      self->strays++;
      continue;
    }
    if (frame < last) self->unordered++;
    last = frame;
    self->count++;
    const uint8_t *bytes = (const uint8_t *)(event + 1);
    uint8_t status = bytes[0] & 0xf0, channel = bytes[0] & 15;
    if (status == 0x90 && bytes[2] > 0) {
      ports[NOTES][frame] += (float)bytes[2] / 127;
      if (self->sounds[channel][bytes[1]]) self->twice++;
      self->sounds[channel][bytes[1]] = 1;
    } else if (status == 0x80 || status == 0x90) {
      ports[OTHERS][frame] -= 1;
      self->sounds[channel][bytes[1]] = 0;
    } else if (status == 0xb0) {
      ports[OTHERS][frame] += 1000 * (float)bytes[1] + (float)bytes[2];
    } else {
      ports[OTHERS][frame] += 1000000 * (float)(status >> 4) + (float)bytes[1];
    }
  }
  *ports[COUNT] = self->count;
  *ports[TWICE] = self->twice;
  *ports[UNORDERED] = self->unordered;
  *ports[STRAYS] = self->strays;
}

PLUGIN("urn:fxrun:test:midi", instantiate, NULL, run, NULL)
