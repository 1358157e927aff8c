// libcurl, loaded when the first address is fetched: it brings thirty libraries with it, which would
// cost every start of the program more than half of its time.
#pragma once

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// Loads libcurl and sets it up, once. False where it is not installed; no other function may be
/// called then. From any thread.
int fx_curl_load(void);

CURLM *fx_curl_multi_init(void);
void fx_curl_multi_cleanup(CURLM *multi);
CURLMcode fx_curl_multi_add(CURLM *multi, CURL *easy);
void fx_curl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode fx_curl_multi_perform(CURLM *multi, int *running);
/// Waits so many milliseconds for bytes or a wake.
void fx_curl_multi_wait(CURLM *multi, int milliseconds);
/// From any thread.
void fx_curl_multi_wakeup(CURLM *multi);

CURL *fx_curl_init(void);
void fx_curl_cleanup(CURL *easy);
/// Lets a transfer go on that its callback has paused.
void fx_curl_resume(CURL *easy);
const char *fx_curl_words(CURLcode code);

/// A list with one text more; a new one for NULL.
struct curl_slist *fx_curl_list(struct curl_slist *list, const char *text);
void fx_curl_list_free(struct curl_slist *list);

// curl_easy_setopt takes any number of arguments of any type, which Swift cannot call.

typedef size_t (*fx_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

void fx_curl_set_number(CURL *easy, CURLoption option, long value);
void fx_curl_set_text(CURL *easy, CURLoption option, const char *value);
void fx_curl_set_list(CURL *easy, CURLoption option, struct curl_slist *value);
void fx_curl_set_error_buffer(CURL *easy, char *buffer);
void fx_curl_set_callbacks(CURL *easy, fx_curl_bytes header, fx_curl_bytes body, void *context);

/// The result of a transfer that is over; -1 while none is.
int fx_curl_result(CURLM *multi);

/// 1 once there is a connection to the server or the proxy.
int fx_curl_is_connected(CURL *easy);
