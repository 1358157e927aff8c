// An instrument with the event ports that preceded atoms: it outputs an impulse of velocity / 127
// at the frame of each note on.
#include "../plugin.h"

#include <lv2/event/event-helpers.h>
#include <lv2/event/event.h>
#include <lv2/midi/midi.h>
#include <lv2/uri-map/uri-map.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

enum { MIDI, EVENTS, OUT, ROOM };

typedef struct {
  Ports ports;
  uint32_t midi;
} OldEvents;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  OldEvents *self = calloc(1, sizeof(OldEvents));
  LV2_URI_Map_Feature *map = feature(features, LV2_URI_MAP_URI);
  LV2_Event_Feature *event = feature(features, LV2_EVENT_URI);
  if (!map || !event || !event->lv2_event_ref || !event->lv2_event_unref) {
    free(self);
    return NULL;
  }
  self->midi = map->uri_to_id(map->callback_data, LV2_EVENT_URI, LV2_MIDI__MidiEvent);
  return self;
}

static void run(LV2_Handle instance, uint32_t frames) {
  OldEvents *self = (OldEvents *)instance;
  float **ports = self->ports.ports;
  memset(ports[OUT], 0, frames * sizeof(float));
  LV2_Event_Iterator iterator;
  LV2_Event_Buffer *buffer = (LV2_Event_Buffer *)ports[MIDI];
  for (lv2_event_begin(&iterator, buffer); lv2_event_is_valid(&iterator);
       lv2_event_increment(&iterator)) {
    uint8_t *bytes;
    LV2_Event *event = lv2_event_get(&iterator, &bytes);
    if (event->type != self->midi || event->size != 3 || event->frames >= frames) continue;
    if ((bytes[0] & 0xf0) == 0x90) ports[OUT][event->frames] += (float)bytes[2] / 127;
  }
  LV2_Event_Buffer *output = (LV2_Event_Buffer *)ports[EVENTS];
  *ports[ROOM] = output->event_count == 0 && output->size == 0 ? (float)output->capacity : -1;
}

PLUGIN("urn:fxrun:test:oldevents", instantiate, NULL, run, NULL)
