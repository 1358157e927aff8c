// Scales its input by a port, by the first number in a file, and by its state's gain. It waits for
// its worker to read the file. Its outputs show its history.
#include "../plugin.h"

#include <lv2/atom/atom.h>
#include <lv2/atom/util.h>
#include <lv2/patch/patch.h>
#include <lv2/state/state.h>
#include <lv2/urid/urid.h>
#include <lv2/worker/worker.h>
#include <stdio.h>

#define URI "urn:fxrun:test:state"

enum { IN, OUT, CONTROL, AMOUNT, DELAY, MODE, FRAMES, ACTIVATIONS, RUNS, NAME };

typedef struct {
  Ports ports;
  LV2_Worker_Schedule *schedule;
  LV2_State_Make_Path *make_path;
  LV2_State_Free_Path *free_path;
  LV2_URID file, gain, name, scratch, count, fine, isOn;
  LV2_URID atom_path, atom_float, atom_string, atom_int, atom_bool, atom_double, atom_urid;
  LV2_URID atom_object, patch_set, patch_property, patch_value;
  char path[1024];
  char scratch_path[1024];
  char title[64];
  float file_gain;
  float set_gain;
  double set_fine;
  int32_t set_count;
  int is_on;
  float frames;
  float activations;
  float runs;
} State;

/// The number at the beginning of a file, or 0 if there is none.
static float first_number(const char *path) {
  float number = 0;
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  if (fscanf(file, "%f", &number) != 1) number = 0;
  fclose(file);
  return number;
}

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  State *self = calloc(1, sizeof(State));
  LV2_URID_Map *map = feature(features, LV2_URID__map);
  self->schedule = feature(features, LV2_WORKER__schedule);
  self->make_path = feature(features, LV2_STATE__makePath);
  self->free_path = feature(features, LV2_STATE__freePath);
  self->file = map->map(map->handle, URI "#file");
  self->gain = map->map(map->handle, URI "#gain");
  self->name = map->map(map->handle, URI "#title");
  self->scratch = map->map(map->handle, URI "#scratch");
  self->count = map->map(map->handle, URI "#count");
  self->fine = map->map(map->handle, URI "#fine");
  self->isOn = map->map(map->handle, URI "#isOn");
  self->atom_path = map->map(map->handle, LV2_ATOM__Path);
  self->atom_float = map->map(map->handle, LV2_ATOM__Float);
  self->atom_double = map->map(map->handle, LV2_ATOM__Double);
  self->atom_string = map->map(map->handle, LV2_ATOM__String);
  self->atom_int = map->map(map->handle, LV2_ATOM__Int);
  self->atom_bool = map->map(map->handle, LV2_ATOM__Bool);
  self->atom_urid = map->map(map->handle, LV2_ATOM__URID);
  self->atom_object = map->map(map->handle, LV2_ATOM__Object);
  self->patch_set = map->map(map->handle, LV2_PATCH__Set);
  self->patch_property = map->map(map->handle, LV2_PATCH__property);
  self->patch_value = map->map(map->handle, LV2_PATCH__value);
  self->file_gain = 1;
  self->set_gain = 100;
  self->is_on = 1;
  // A file of its own, as a looper keeps its recording.
  if (self->make_path) {
    char *path = self->make_path->path(self->make_path->handle, "notes/scratch.txt");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
      fputs("scratch", file);
      fclose(file);
      snprintf(self->scratch_path, sizeof self->scratch_path, "%s", path);
    }
    if (path) self->free_path->free_path(self->free_path->handle, path);
  }
  return self;
}

static void activate(LV2_Handle instance) {
  State *self = (State *)instance;
  self->activations++;
  self->frames = 0;
}

static LV2_Worker_Status work(
    LV2_Handle instance, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle handle,
    uint32_t size, const void *data) {
  float gain = first_number((const char *)data);
  return respond(handle, sizeof gain, &gain);
}

static LV2_Worker_Status work_response(LV2_Handle instance, uint32_t size, const void *data) {
  memcpy(&((State *)instance)->file_gain, data, sizeof(float));
  return LV2_WORKER_SUCCESS;
}

static void set(State *self, LV2_URID property, const LV2_Atom *value) {
  const void *body = value + 1;
  if (property == self->file && value->type == self->atom_path && value->size < 1000) {
    memcpy(self->path, body, value->size);
    self->schedule->schedule_work(self->schedule->handle, value->size, body);
  } else if (property == self->gain && value->type == self->atom_float) {
    memcpy(&self->set_gain, body, sizeof(float));
  } else if (property == self->fine && value->type == self->atom_double) {
    memcpy(&self->set_fine, body, sizeof(double));
  } else if (property == self->count && value->type == self->atom_int) {
    memcpy(&self->set_count, body, sizeof(int32_t));
  } else if (property == self->isOn && value->type == self->atom_bool) {
    memcpy(&self->is_on, body, sizeof(int32_t));
  } else if (property == self->name && value->type == self->atom_string && value->size <= 64) {
    memcpy(self->title, body, value->size);
  }
}

static void receive(State *self, const LV2_Atom_Sequence *sequence) {
  LV2_ATOM_SEQUENCE_FOREACH(sequence, event) {
    const LV2_Atom_Object *object = (const LV2_Atom_Object *)&event->body;
    if (object->atom.type != self->atom_object || object->body.otype != self->patch_set) continue;
    const LV2_Atom *property = NULL;
    const LV2_Atom *value = NULL;
    lv2_atom_object_get(
        object, self->patch_property, &property, self->patch_value, &value, 0);
    // A message whose value is not aligned as the standard requires is ignored.
    if (!property || !value || ((uintptr_t)value & 7) || property->type != self->atom_urid)
      continue;
    set(self, ((const LV2_Atom_URID *)property)->body, value);
  }
}

static void run(LV2_Handle instance, uint32_t frames) {
  State *self = (State *)instance;
  float **ports = self->ports.ports;
  receive(self, (const LV2_Atom_Sequence *)ports[CONTROL]);
  // Both are in percent.
  float gain = *ports[AMOUNT] / 100 * self->file_gain * self->set_gain / 100;
  if (!self->is_on) gain = 0;
  gain += (float)self->set_count + (float)self->set_fine;
  for (uint32_t i = 0; i < frames; i++) ports[OUT][i] = ports[IN][i] * gain;
  self->frames += (float)frames;
  self->runs++;
  *ports[FRAMES] = self->frames;
  *ports[ACTIVATIONS] = self->activations;
  *ports[RUNS] = self->runs;
  *ports[NAME] = (float)self->title[0];
}

static LV2_State_Status save(
    LV2_Handle instance, LV2_State_Store_Function store, LV2_State_Handle handle, uint32_t flags,
    const LV2_Feature *const *features) {
  State *self = (State *)instance;
  const uint32_t pod = LV2_STATE_IS_POD | LV2_STATE_IS_PORTABLE;
  LV2_State_Map_Path *map = feature(features, LV2_STATE__mapPath);
  LV2_State_Free_Path *free_path = feature(features, LV2_STATE__freePath);
  if (!map || !free_path) return LV2_STATE_ERR_NO_FEATURE;
  store(handle, self->gain, &self->set_gain, sizeof(float), self->atom_float, pod);
  store(handle, self->name, self->title, strlen(self->title) + 1, self->atom_string, pod);
  const char *paths[2] = {self->path, self->scratch_path};
  const LV2_URID keys[2] = {self->file, self->scratch};
  for (int i = 0; i < 2; i++) {
    if (!*paths[i]) continue;
    char *path = map->abstract_path(map->handle, paths[i]);
    store(handle, keys[i], path, strlen(path) + 1, self->atom_path, pod);
    free_path->free_path(free_path->handle, path);
  }
  return LV2_STATE_SUCCESS;
}

static LV2_State_Status restore(
    LV2_Handle instance, LV2_State_Retrieve_Function retrieve, LV2_State_Handle handle,
    uint32_t flags, const LV2_Feature *const *features) {
  State *self = (State *)instance;
  LV2_State_Map_Path *map = feature(features, LV2_STATE__mapPath);
  LV2_State_Free_Path *free_path = feature(features, LV2_STATE__freePath);
  if (!map || !free_path) return LV2_STATE_ERR_NO_FEATURE;
  if (self->activations > 0) return LV2_STATE_ERR_UNKNOWN;
  size_t size;
  uint32_t type, value_flags;
  const void *value = retrieve(handle, self->gain, &size, &type, &value_flags);
  if (value && size == sizeof(float)) memcpy(&self->set_gain, value, sizeof(float));
  value = retrieve(handle, self->name, &size, &type, &value_flags);
  if (value && size <= sizeof self->title) memcpy(self->title, value, size);
  value = retrieve(handle, self->file, &size, &type, &value_flags);
  if (!value) return LV2_STATE_ERR_NO_PROPERTY;
  if (type != self->atom_path) return LV2_STATE_ERR_BAD_TYPE;
  char *path = map->absolute_path(map->handle, (const char *)value);
  snprintf(self->path, sizeof self->path, "%s", path);
  free_path->free_path(free_path->handle, path);
  // The new gain applies after the worker has read the file.
  self->file_gain = 0;
  self->schedule->schedule_work(self->schedule->handle, strlen(self->path) + 1, self->path);
  return LV2_STATE_SUCCESS;
}

static const void *extension_data(const char *uri) {
  static const LV2_Worker_Interface worker = {work, work_response, NULL};
  static const LV2_State_Interface state = {save, restore};
  if (strcmp(uri, LV2_WORKER__interface) == 0) return &worker;
  return strcmp(uri, LV2_STATE__interface) == 0 ? &state : NULL;
}

PLUGIN(URI, instantiate, activate, run, extension_data)
