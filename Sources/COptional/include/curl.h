// libcurl, which is optional and loaded when the first address is fetched: it depends on thirty
// libraries.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads libcurl and initializes it, once. False where it is not installed; then no other function
/// may be called. From any thread.
int fx_curl_load(void);

CURLM *fx_curl_multi_init(void);
void fx_curl_multi_cleanup(CURLM *multi);
CURLMcode fx_curl_multi_add(CURLM *multi, CURL *easy);
void fx_curl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode fx_curl_multi_perform(CURLM *multi, int *running);
/// Waits up to `milliseconds` for bytes or a wake-up.
void fx_curl_multi_wait(CURLM *multi, int milliseconds);
/// From any thread.
void fx_curl_multi_wakeup(CURLM *multi);

CURL *fx_curl_init(void);
void fx_curl_cleanup(CURL *easy);
/// Resumes a transfer that its callback has paused.
void fx_curl_resume(CURL *easy);
const char *fx_curl_words(CURLcode code);

/// Appends a text to a list; NULL starts a new list.
struct curl_slist *fx_curl_list(struct curl_slist *list, const char *text);
void fx_curl_list_free(struct curl_slist *list);

// curl_easy_setopt is variadic, so Swift cannot call it.

typedef size_t (*fx_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

void fx_curl_set_number(CURL *easy, CURLoption option, long value);
void fx_curl_set_text(CURL *easy, CURLoption option, const char *value);
void fx_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
void fx_curl_set_error_buffer(CURL *easy, char *buffer);
void fx_curl_set_callbacks(CURL *easy, fx_curl_bytes header, fx_curl_bytes body, void *context);

/// Lets the server send little ahead, until `fx_curl_widen`: a reader may soon want other bytes.
void fx_curl_start_small(CURL *easy);
void fx_curl_widen(CURL *easy);

/// The result of a finished transfer; -1 while none has finished.
int fx_curl_result(CURLM *multi);

/// 1 once there is a connection to the server or the proxy.
int fx_curl_is_connected(CURL *easy);
