#include "curl.h"

#include "optional.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sys/socket.h>

// Every function that is used, as libcurl's headers declare it.
#define FUNCTIONS(F)                                                                             \
  F(easy_init) F(easy_cleanup) F(easy_setopt) F(easy_getinfo) F(easy_pause) F(easy_strerror)     \
  F(global_init) F(multi_init) F(multi_cleanup) F(multi_add_handle) F(multi_remove_handle)       \
  F(multi_perform) F(multi_poll) F(multi_wakeup) F(multi_info_read) F(slist_append)              \
  F(slist_free_all)

#define POINTER(name) __typeof__(&curl_##name) name;
static struct { FUNCTIONS(POINTER) } curl;
static int is_loaded;

static void load(void) {
  static const char *const files[] = {"libcurl.so.4", "libcurl-gnutls.so.4", NULL};
#define NAME(name) "curl_" #name,
  static const char *const names[] = {FUNCTIONS(NAME) NULL};
  is_loaded =
      fx_open_library(files, names, &curl) && curl.global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

int fx_curl_load(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  return is_loaded;
}

CURLM *fx_curl_multi_init(void) { return curl.multi_init(); }
void fx_curl_multi_cleanup(CURLM *multi) { curl.multi_cleanup(multi); }
CURLMcode fx_curl_multi_add(CURLM *multi, CURL *easy) { return curl.multi_add_handle(multi, easy); }
void fx_curl_multi_remove(CURLM *multi, CURL *easy) { curl.multi_remove_handle(multi, easy); }
CURLMcode fx_curl_multi_perform(CURLM *multi, int *running) {
  return curl.multi_perform(multi, running);
}
void fx_curl_multi_wait(CURLM *multi, int milliseconds) {
  curl.multi_poll(multi, NULL, 0, milliseconds, NULL);
}
void fx_curl_multi_wakeup(CURLM *multi) { curl.multi_wakeup(multi); }

CURL *fx_curl_init(void) { return curl.easy_init(); }
void fx_curl_cleanup(CURL *easy) { curl.easy_cleanup(easy); }
void fx_curl_resume(CURL *easy) { curl.easy_pause(easy, CURLPAUSE_CONT); }
const char *fx_curl_words(CURLcode code) { return curl.easy_strerror(code); }

struct curl_slist *fx_curl_list(struct curl_slist *list, const char *text) {
  return curl.slist_append(list, text);
}
void fx_curl_list_free(struct curl_slist *list) { curl.slist_free_all(list); }

void fx_curl_set_number(CURL *easy, CURLoption option, long value) {
  curl.easy_setopt(easy, option, value);
}
void fx_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  curl.easy_setopt(easy, option, value);
}
void fx_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
  curl.easy_setopt(easy, option, value);
}
void fx_curl_set_error_buffer(CURL *easy, char *buffer) {
  curl.easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}
// A hint for the kernel: it may ignore it.
static void limit_window(curl_socket_t socket, int size) {
  (void)setsockopt(socket, IPPROTO_TCP, TCP_WINDOW_CLAMP, &size, sizeof size);
}

static int limit_first_window(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context;
  (void)purpose;
  limit_window(socket, 1 << 16);
  return CURL_SOCKOPT_OK;
}

void fx_curl_start_small(CURL *easy) {
  curl.easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, limit_first_window);
}

void fx_curl_widen(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  if (curl.easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD)
    limit_window(socket, 1 << 23);
}

void fx_curl_set_callbacks(CURL *easy, fx_curl_bytes header, fx_curl_bytes body, void *context) {
  curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  curl.easy_setopt(easy, CURLOPT_HEADERDATA, context);
  curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  curl.easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

int fx_curl_result(CURLM *multi) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl.multi_info_read(multi, &left)) != NULL)
    if (message->msg == CURLMSG_DONE) return (int)message->data.result;
  return -1;
}

int fx_curl_is_connected(CURL *easy) {
  curl_off_t microseconds = 0;
  curl.easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds > 0;
}
