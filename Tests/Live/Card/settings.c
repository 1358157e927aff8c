// Reads a card's definition from an asoundrc, and derives the hardware parameters that it supports.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "card.h"

static unsigned value_of(snd_config_t *node, bool is_format) {
  long number;
  const char *text;
  if (snd_config_get_integer(node, &number) == 0) return (unsigned)number;
  if (is_format && snd_config_get_string(node, &text) == 0) {
    return (unsigned)snd_pcm_format_value(text);
  }
  return 0;
}

static void read_choices(struct choices *choices, snd_config_t *node, bool is_format) {
  snd_config_iterator_t i, next;
  choices->count = 0;
  if (snd_config_get_type(node) != SND_CONFIG_TYPE_COMPOUND) {
    choices->values[choices->count++] = value_of(node, is_format);
    return;
  }
  snd_config_for_each(i, next, node) {
    if (choices->count == maximum_choices) return;
    choices->values[choices->count++] = value_of(snd_config_iterator_entry(i), is_format);
  }
}

static bool read_text(struct settings *settings, const char *id, snd_config_t *node) {
  struct { const char *id; char **target; } texts[] = {
      {"card", &settings->card},     {"record", &settings->record},
      {"input", &settings->input},   {"log", &settings->log},
      {"script", &settings->script}, {"control", &settings->control},
      {"title", &settings->title},
  };
  const char *text;
  if (snd_config_get_string(node, &text) < 0) return false;
  if (strcmp(id, "access") == 0) {
    settings->has_rw = strcmp(text, "mmap") != 0;
    settings->has_mmap = strcmp(text, "rw") != 0;
    return true;
  }
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    if (strcmp(id, texts[i].id) != 0) continue;
    free(*texts[i].target);
    *texts[i].target = strdup(text);
    return true;
  }
  return false;
}

static bool read_number(struct settings *settings, const char *id, snd_config_t *node) {
  struct { const char *id; unsigned *target; } numbers[] = {
      {"period_min", &settings->period_minimum},   {"period_max", &settings->period_maximum},
      {"periods_min", &settings->periods_minimum}, {"periods_max", &settings->periods_maximum},
      {"steps", &settings->steps},                 {"latency", &settings->latency},
  };
  double value;
  if (snd_config_get_ireal(node, &value) < 0) return false;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    if (strcmp(id, numbers[i].id) != 0) continue;
    *numbers[i].target = (unsigned)value;
    return true;
  }
  if (strcmp(id, "speed") == 0) settings->speed = value;
  else if (strcmp(id, "ppm") == 0) settings->ppm = value;
  else if (strcmp(id, "loop") == 0) settings->loops = value != 0;
  else return false;
  return true;
}

int settings_read(struct settings *settings, const char *name, snd_config_t *definition) {
  *settings = (struct settings){
      .card = strdup(name), .period_minimum = 16, .period_maximum = 8192, .periods_minimum = 2,
      .periods_maximum = 32, .has_rw = true, .has_mmap = true, .speed = 1, .steps = 1};
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, definition) {
    snd_config_t *node = snd_config_iterator_entry(i);
    const char *id;
    if (snd_config_get_id(node, &id) < 0) continue;
    if (strcmp(id, "type") == 0 || strcmp(id, "comment") == 0 || strcmp(id, "hint") == 0) continue;
    if (strcmp(id, "formats") == 0) read_choices(&settings->formats, node, true);
    else if (strcmp(id, "rates") == 0) read_choices(&settings->rates, node, false);
    else if (strcmp(id, "channels") == 0) read_choices(&settings->channels, node, false);
    else if (!read_text(settings, id, node) && !read_number(settings, id, node)) {
      SNDERR("a card has no field %s", id);
      return -EINVAL;
    }
  }
  if (settings->steps == 0 || !(settings->speed > 0)) return -EINVAL;
  return 0;
}

void settings_free(struct settings *settings) {
  free(settings->card);
  free(settings->record);
  free(settings->input);
  free(settings->log);
  free(settings->script);
  free(settings->control);
  free(settings->title);
}

static int offer(snd_pcm_ioplug_t *io, int kind, const struct choices *choices) {
  return snd_pcm_ioplug_set_param_list(io, kind, choices->count, choices->values);
}

/// The smallest and the largest of the supported values.
static void range(const struct choices *choices, unsigned *least, unsigned *most) {
  *least = *most = choices->values[0];
  for (unsigned i = 1; i < choices->count; i++) {
    if (choices->values[i] < *least) *least = choices->values[i];
    if (choices->values[i] > *most) *most = choices->values[i];
  }
}

int settings_offer(const struct settings *settings, snd_pcm_ioplug_t *io) {
  struct choices access = {{0}, 0};
  if (settings->has_rw) {
    access.values[access.count++] = SND_PCM_ACCESS_RW_INTERLEAVED;
    access.values[access.count++] = SND_PCM_ACCESS_RW_NONINTERLEAVED;
  }
  if (settings->has_mmap) {
    access.values[access.count++] = SND_PCM_ACCESS_MMAP_INTERLEAVED;
    access.values[access.count++] = SND_PCM_ACCESS_MMAP_NONINTERLEAVED;
  }
  static const struct choices every_format = {
      {SND_PCM_FORMAT_S16_LE, SND_PCM_FORMAT_S24_3LE, SND_PCM_FORMAT_S24_LE, SND_PCM_FORMAT_S32_LE,
       SND_PCM_FORMAT_FLOAT_LE},
      5};
  static const struct choices stereo = {{2}, 1};
  const struct choices *formats = settings->formats.count ? &settings->formats : &every_format;
  const struct choices *channels = settings->channels.count ? &settings->channels : &stereo;
  unsigned fewest, most, narrowest = 8, widest = 1;
  range(channels, &fewest, &most);
  for (unsigned i = 0; i < formats->count; i++) {
    int width = snd_pcm_format_physical_width((snd_pcm_format_t)formats->values[i]);
    if (width <= 0) return -EINVAL;
    if ((unsigned)width / 8 < narrowest) narrowest = (unsigned)width / 8;
    if ((unsigned)width / 8 > widest) widest = (unsigned)width / 8;
  }
  // The library limits bytes. Limits in frames are exact with only one format and channel count.
  unsigned least = settings->period_minimum * fewest * narrowest;
  unsigned greatest = settings->period_maximum * most * widest;
  int code = offer(io, SND_PCM_IOPLUG_HW_ACCESS, &access);
  if (code >= 0) code = offer(io, SND_PCM_IOPLUG_HW_FORMAT, formats);
  if (code >= 0) code = offer(io, SND_PCM_IOPLUG_HW_CHANNELS, channels);
  if (code >= 0) {
    code = settings->rates.count
               ? offer(io, SND_PCM_IOPLUG_HW_RATE, &settings->rates)
               : snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_RATE, 8000, 192000);
  }
  if (code >= 0) {
    code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIOD_BYTES, least, greatest);
  }
  if (code >= 0) {
    code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS,
                                           settings->periods_minimum, settings->periods_maximum);
  }
  if (code >= 0) {
    code = snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_BUFFER_BYTES,
                                           least * settings->periods_minimum,
                                           greatest * settings->periods_maximum);
  }
  return code;
}
