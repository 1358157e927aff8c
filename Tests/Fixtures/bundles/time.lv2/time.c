// Outputs the musical time that it receives: the frame, the tempo and the beat within the bar from
// then on, and -1 before the first message.
#include "../plugin.h"

#include <lv2/atom/util.h>
#include <lv2/time/time.h>
#include <lv2/urid/urid.h>

enum { CONTROL, IN, FRAME, TEMPO, BAR_BEAT, COUNT };

typedef struct {
  Ports ports;
  LV2_URID object, position, frame, rate, speed, bar, barBeat, beat, beatUnit, perBar, perMinute;
  double at, framesPerBeat, inBar, tempo;
  float count;
  int knows;
} Time;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Time *self = calloc(1, sizeof(Time));
  LV2_URID_Map *map = feature(features, LV2_URID__map);
#define MAP(field, uri) self->field = map->map(map->handle, uri)
  MAP(object, LV2_ATOM__Object);
  MAP(position, LV2_TIME__Position);
  MAP(frame, LV2_TIME__frame);
  MAP(rate, LV2_TIME__framesPerSecond);
  MAP(speed, LV2_TIME__speed);
  MAP(bar, LV2_TIME__bar);
  MAP(barBeat, LV2_TIME__barBeat);
  MAP(beat, LV2_TIME__beat);
  MAP(beatUnit, LV2_TIME__beatUnit);
  MAP(perBar, LV2_TIME__beatsPerBar);
  MAP(perMinute, LV2_TIME__beatsPerMinute);
  return self;
}

static void take(Time *self, const LV2_Atom_Object *object) {
  const LV2_Atom *frame = NULL, *rate = NULL, *speed = NULL, *bar = NULL, *barBeat = NULL;
  const LV2_Atom *beat = NULL, *beatUnit = NULL, *perBar = NULL, *perMinute = NULL;
  lv2_atom_object_get(
      object, self->frame, &frame, self->rate, &rate, self->speed, &speed, self->bar, &bar,
      self->barBeat, &barBeat, self->beat, &beat, self->beatUnit, &beatUnit, self->perBar, &perBar,
      self->perMinute, &perMinute, 0);
  if (!frame || !rate || !speed || !bar || !barBeat || !beat || !beatUnit || !perBar || !perMinute)
    return;
  if (((const LV2_Atom_Float *)speed)->body != 1 || ((const LV2_Atom_Int *)beatUnit)->body != 4 ||
      ((const LV2_Atom_Float *)perBar)->body != 4)
    return;
  double global = ((const LV2_Atom_Double *)beat)->body;
  self->at = (double)((const LV2_Atom_Long *)frame)->body;
  self->tempo = ((const LV2_Atom_Float *)perMinute)->body;
  self->framesPerBeat = ((const LV2_Atom_Float *)rate)->body * 60 / self->tempo;
  self->inBar = ((const LV2_Atom_Float *)barBeat)->body;
  if (global < ((const LV2_Atom_Long *)bar)->body * 4.0) return;
  self->count++;
  self->knows = 1;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Time *self = (Time *)instance;
  float **ports = self->ports.ports;
  const LV2_Atom_Sequence *sequence = (const LV2_Atom_Sequence *)ports[CONTROL];
  const LV2_Atom_Event *event = lv2_atom_sequence_begin(&sequence->body);
  for (uint32_t n = 0; n < frames; n++) {
    while (!lv2_atom_sequence_is_end(&sequence->body, sequence->atom.size, event) &&
           event->time.frames <= n) {
      const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
      if (event->body.type == self->object && object->body.otype == self->position)
        take(self, object);
      event = lv2_atom_sequence_next(event);
    }
    ports[FRAME][n] = self->knows ? (float)self->at : -1;
    ports[TEMPO][n] = self->knows ? (float)self->tempo : -1;
    ports[BAR_BEAT][n] = self->knows ? (float)self->inBar : -1;
    self->at += 1;
    if (self->knows) self->inBar += 1 / self->framesPerBeat;
  }
  *ports[COUNT] = self->count;
}

PLUGIN("urn:fxrun:test:time", instantiate, NULL, run, NULL)
