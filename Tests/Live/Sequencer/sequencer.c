// Replaces the kernel's MIDI sequencer, which few build machines have. Preloaded:
//
//   FXRUN_SEQUENCER=/…/sequencer.txt LD_PRELOAD=… fxrun …
//
// The file is a script that the test appends to while fxrun plays. A line is one of
//   client 20 nanoKONTROL     a client with a port 0 connects
//   gone 20                   the client disconnects
//   midi 20 b0 4a 40          the client sends a message to all ports that are connected to it
// fxrun's calls are appended to FILE.log: open, port NAME, connect 20:0, disconnect 20:0, close.
#define _GNU_SOURCE
#include <alsa/asoundlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

struct client {
  int number;
  char name[64];
};

struct link {
  int port, client;
};

// fxrun uses a pointer to this as its snd_seq_t.
struct sequencer {
  FILE *script;
  int changes;
  struct client clients[16];
  int client_count, port_count;
  struct link links[64];
  int link_count;
  int hears_announcements, announcement_port;
  snd_midi_event_t *encoder;
  snd_seq_event_t event;
  // The current message goes to the links from `next_link` on whose client is `sender`.
  int next_link, sender;
};

static void note(const char *format, ...) {
  char path[4096];
  snprintf(path, sizeof path, "%s.log", getenv("FXRUN_SEQUENCER"));
  FILE *log = fopen(path, "a");
  if (!log) return;
  va_list arguments;
  va_start(arguments, format);
  vfprintf(log, format, arguments);
  va_end(arguments);
  fclose(log);
}

static struct client *find(struct sequencer *it, int number) {
  for (int index = 0; index < it->client_count; index++)
    if (it->clients[index].number == number) return &it->clients[index];
  return NULL;
}

static int announce(struct sequencer *it, int type, int client) {
  if (!it->hears_announcements) return 0;
  memset(&it->event, 0, sizeof it->event);
  it->event.type = (snd_seq_event_type_t)type;
  it->event.dest.port = (unsigned char)it->announcement_port;
  it->event.data.addr.client = (unsigned char)client;
  return 1;
}

// Carries out one line. Returns 1 if it makes an event for fxrun.
static int follow(struct sequencer *it, const char *line) {
  int number, used = 0;
  char name[64];
  unsigned bytes[3];
  if (sscanf(line, "client %d %63[^\n]", &number, name) == 2 && it->client_count < 16) {
    struct client *new = &it->clients[it->client_count++];
    new->number = number;
    strcpy(new->name, name);
    return announce(it, SND_SEQ_EVENT_PORT_START, number);
  }
  if (sscanf(line, "gone %d", &number) == 1) {
    struct client *old = find(it, number);
    if (!old) return 0;
    *old = it->clients[--it->client_count];
    int kept = 0;
    for (int index = 0; index < it->link_count; index++)
      if (it->links[index].client != number) it->links[kept++] = it->links[index];
    it->link_count = kept;
    return announce(it, SND_SEQ_EVENT_CLIENT_EXIT, number);
  }
  if (sscanf(line, "midi %d %n", &number, &used) == 1 && used > 0 && find(it, number)) {
    int count = sscanf(line + used, "%x %x %x", &bytes[0], &bytes[1], &bytes[2]);
    memset(&it->event, 0, sizeof it->event);
    snd_midi_event_reset_encode(it->encoder);
    for (int index = 0; index < count; index++)
      snd_midi_event_encode_byte(it->encoder, (int)bytes[index], &it->event);
    it->sender = number;
    it->next_link = 0;
  }
  return 0;
}

static int deliver(struct sequencer *it) {
  while (it->next_link < it->link_count) {
    struct link link = it->links[it->next_link++];
    if (link.client != it->sender) continue;
    it->event.dest.port = (unsigned char)link.port;
    return 1;
  }
  return 0;
}

int snd_seq_open(snd_seq_t **result, const char *name, int streams, int mode) {
  (void)name, (void)streams, (void)mode;
  const char *path = getenv("FXRUN_SEQUENCER");
  FILE *script = path ? fopen(path, "r") : NULL;
  if (!script) return -ENOENT;
  struct sequencer *it = calloc(1, sizeof *it);
  it->script = script;
  it->changes = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  inotify_add_watch(it->changes, path, IN_MODIFY);
  snd_midi_event_new(16, &it->encoder);
  char line[256];
  while (fgets(line, sizeof line, script)) follow(it, line);
  clearerr(script);
  it->next_link = it->link_count;
  note("open\n");
  *result = (snd_seq_t *)it;
  return 0;
}

int snd_seq_close(snd_seq_t *handle) {
  struct sequencer *it = (struct sequencer *)handle;
  note("close\n");
  fclose(it->script);
  close(it->changes);
  snd_midi_event_free(it->encoder);
  free(it);
  return 0;
}

int snd_seq_client_id(snd_seq_t *handle) { return handle ? 128 : -EINVAL; }
int snd_seq_set_client_name(snd_seq_t *handle, const char *name) { return handle && name ? 0 : -EINVAL; }
int snd_seq_set_client_pool_input(snd_seq_t *handle, size_t size) { return handle && size ? 0 : -EINVAL; }

int snd_seq_create_simple_port(snd_seq_t *handle, const char *name, unsigned caps, unsigned type) {
  (void)caps, (void)type;
  note("port %s\n", name);
  return ((struct sequencer *)handle)->port_count++;
}

int snd_seq_parse_address(snd_seq_t *handle, snd_seq_addr_t *address, const char *text) {
  struct sequencer *it = (struct sequencer *)handle;
  size_t length = strcspn(text, ":.");
  address->port = text[length] ? (unsigned char)atoi(text + length + 1) : 0;
  char *end;
  long number = strtol(text, &end, 10);
  if (length > 0 && end == text + length) {
    address->client = (unsigned char)number;
    return 0;
  }
  for (int index = 0; index < it->client_count; index++) {
    if (strncmp(text, it->clients[index].name, length)) continue;
    address->client = (unsigned char)it->clients[index].number;
    return 0;
  }
  return length == 0 ? -EINVAL : -ENOENT;
}

int snd_seq_connect_from(snd_seq_t *handle, int port, int client, int sender) {
  struct sequencer *it = (struct sequencer *)handle;
  if (client == SND_SEQ_CLIENT_SYSTEM) {
    it->hears_announcements = 1;
    it->announcement_port = port;
    return 0;
  }
  if (!find(it, client) || sender != 0 || it->link_count == 64) return -EINVAL;
  it->links[it->link_count++] = (struct link){port, client};
  note("connect %d:%d\n", client, sender);
  return 0;
}

int snd_seq_disconnect_from(snd_seq_t *handle, int port, int client, int sender) {
  struct sequencer *it = (struct sequencer *)handle;
  for (int index = 0; index < it->link_count; index++) {
    if (it->links[index].client != client || it->links[index].port != port) continue;
    it->links[index] = it->links[--it->link_count];
    note("disconnect %d:%d\n", client, sender);
    return 0;
  }
  return -ENOENT;
}

int snd_seq_poll_descriptors(snd_seq_t *handle, struct pollfd *descriptors, unsigned space, short events) {
  if (space < 1) return 0;
  descriptors[0].fd = ((struct sequencer *)handle)->changes;
  descriptors[0].events = events;
  return 1;
}

int snd_seq_event_input(snd_seq_t *handle, snd_seq_event_t **event) {
  struct sequencer *it = (struct sequencer *)handle;
  char changes[4096], line[256];
  *event = &it->event;
  while (read(it->changes, changes, sizeof changes) > 0) {}
  if (deliver(it)) return 1;
  while (fgets(line, sizeof line, it->script)) {
    if (follow(it, line) || deliver(it)) return 1;
  }
  clearerr(it->script);
  *event = NULL;
  return -EAGAIN;
}
