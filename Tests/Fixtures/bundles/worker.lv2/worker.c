// Asks its worker in every block for the gain of the next ones: the number of blocks so far,
// including this one.
#include "../plugin.h"

#include <lv2/worker/worker.h>

enum { IN, OUT, CYCLES };

typedef struct {
  Ports ports;
  LV2_Worker_Schedule *schedule;
  uint32_t block;
  float gain;
  float cycles;
} Worker;

static LV2_Handle instantiate(
    const LV2_Descriptor *descriptor, double rate, const char *bundle,
    const LV2_Feature *const *features) {
  Worker *self = calloc(1, sizeof(Worker));
  self->schedule = feature(features, LV2_WORKER__schedule);
  return self;
}

static LV2_Worker_Status work(
    LV2_Handle instance, LV2_Worker_Respond_Function respond, LV2_Worker_Respond_Handle handle,
    uint32_t size, const void *data) {
  uint32_t block;
  if (size != sizeof block) return LV2_WORKER_ERR_UNKNOWN;
  memcpy(&block, data, sizeof block);
  float gain = (float)block + 1;
  return respond(handle, sizeof gain, &gain);
}

static LV2_Worker_Status work_response(LV2_Handle instance, uint32_t size, const void *data) {
  memcpy(&((Worker *)instance)->gain, data, sizeof(float));
  return LV2_WORKER_SUCCESS;
}

static LV2_Worker_Status end_run(LV2_Handle instance) {
  ((Worker *)instance)->cycles++;
  return LV2_WORKER_SUCCESS;
}

static void run(LV2_Handle instance, uint32_t frames) {
  Worker *self = (Worker *)instance;
  float **ports = self->ports.ports;
  for (uint32_t i = 0; i < frames; i++) ports[OUT][i] = ports[IN][i] * self->gain;
  *ports[CYCLES] = self->cycles;
  self->schedule->schedule_work(self->schedule->handle, sizeof self->block, &self->block);
  self->block++;
}

static const void *extension_data(const char *uri) {
  static const LV2_Worker_Interface interface = {work, work_response, end_run};
  return strcmp(uri, LV2_WORKER__interface) == 0 ? &interface : NULL;
}

PLUGIN("urn:fxrun:test:worker", instantiate, NULL, run, extension_data)
