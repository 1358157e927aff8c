#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

// curl_easy_setopt takes any number of arguments of any type, which Swift cannot call.

typedef size_t (*fx_curl_bytes)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode fx_curl_set_number(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode fx_curl_set_text(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode fx_curl_set_list(
    CURL *easy, CURLoption option, struct curl_slist *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode fx_curl_set_error_buffer(CURL *easy, char *buffer) {
  return curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, buffer);
}

static inline CURLcode fx_curl_set_callbacks(
    CURL *easy, fx_curl_bytes header, fx_curl_bytes body, void *context) {
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, header);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, context);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, body);
  return curl_easy_setopt(easy, CURLOPT_WRITEDATA, context);
}

// The result of a transfer that is over; -1 while none is.
static inline int fx_curl_result(CURLM *multi) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL)
    if (message->msg == CURLMSG_DONE) return (int)message->data.result;
  return -1;
}

// 1 once there is a connection to the server or the proxy.
static inline int fx_curl_is_connected(CURL *easy) {
  curl_off_t microseconds = 0;
  curl_easy_getinfo(easy, CURLINFO_PRETRANSFER_TIME_T, &microseconds);
  return microseconds > 0;
}
