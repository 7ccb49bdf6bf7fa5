#define _GNU_SOURCE
#include "LateCurl.h"
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct transfer {
  uint64_t id;
  struct trim_curl_pool *pool;
  CURL *handle;
  struct curl_slist *fields;
  struct curl_slist *name;
  int socket;
  int needs_connection;
  int is_longer;
  int is_head_too_long;
  uint64_t body_limit, head_limit;
  uint64_t window_bytes, window_time, end;
  // When the current window ends, and what arrived within it.
  uint64_t window_end, window_count;
  uint64_t head_count, body_count;
  char text[CURL_ERROR_SIZE];
  struct transfer *next;
};

struct trim_curl_pool {
  CURLM *multi;
  trim_curl_listener listener;
  uint8_t *certificates;
  size_t certificates_size;
  struct transfer *transfers;
};

enum { kept_connections = 32, buffer_size = 128 << 10, longest_wait = 100 };

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000 + (uint64_t)time.tv_nsec / 1000000;
}

trim_curl_pool *trim_curl_make_pool(const uint8_t *certificates, size_t size,
                                    const trim_curl_listener *listener, char *message,
                                    size_t message_size) {
  // With it, the library would write the keys of every connection to a file.
  unsetenv("SSLKEYLOGFILE");
  if (trim_curl_load(message, message_size) != 0) return NULL;
  trim_curl_pool *pool = calloc(1, sizeof *pool);
  if (pool != NULL) {
    pool->listener = *listener;
    pool->certificates = malloc(size > 0 ? size : 1);
    pool->certificates_size = size;
    pool->multi = late_curl_multi_init();
  }
  if (pool == NULL || pool->multi == NULL || pool->certificates == NULL) {
    snprintf(message, message_size, "no memory is left");
    if (pool != NULL) free(pool->certificates);
    free(pool);
    return NULL;
  }
  memcpy(pool->certificates, certificates, size);
  late_curl_multi_setopt(pool->multi, CURLMOPT_PIPELINING, (long)CURLPIPE_MULTIPLEX);
  late_curl_multi_setopt(pool->multi, CURLMOPT_MAXCONNECTS, (long)kept_connections);
  return pool;
}

trim_curl_library trim_curl_version(void) {
  trim_curl_library library = {0};
  curl_version_info_data *found = late_curl_version_info(0);
  if (found == NULL) return library;
  library.version = found->version;
  library.tls = found->ssl_version;
  library.has_second_version = (found->features & CURL_VERSION_HTTP2) != 0;
  return library;
}

static void free_transfer(struct transfer *transfer) {
  if (transfer->handle != NULL) {
    late_curl_multi_remove_handle(transfer->pool->multi, transfer->handle);
    late_curl_easy_cleanup(transfer->handle);
  }
  late_curl_slist_free_all(transfer->fields);
  late_curl_slist_free_all(transfer->name);
  if (transfer->socket >= 0) close(transfer->socket);
  free(transfer);
}

static void forget(struct transfer *transfer) {
  struct transfer **link = &transfer->pool->transfers;
  while (*link != NULL && *link != transfer) link = &(*link)->next;
  if (*link != NULL) *link = transfer->next;
  free_transfer(transfer);
}

void trim_curl_free_pool(trim_curl_pool *pool) {
  while (pool->transfers != NULL) forget(pool->transfers);
  late_curl_multi_cleanup(pool->multi);
  free(pool->certificates);
  free(pool);
}

static size_t on_line(char *bytes, size_t one, size_t size, void *context) {
  struct transfer *transfer = context;
  size *= one;
  transfer->head_count += size;
  transfer->window_count += size;
  if (transfer->head_count > transfer->head_limit) {
    transfer->is_head_too_long = 1;
    return 0;
  }
  trim_curl_listener *listener = &transfer->pool->listener;
  listener->line(listener->context, transfer->id, (const uint8_t *)bytes, size);
  return size;
}

static size_t on_body(char *bytes, size_t one, size_t size, void *context) {
  struct transfer *transfer = context;
  size *= one;
  transfer->window_count += size;
  uint64_t room = transfer->body_limit - transfer->body_count;
  size_t wanted = size <= room ? size : (size_t)room;
  transfer->body_count += wanted;
  trim_curl_listener *listener = &transfer->pool->listener;
  if (wanted > 0) listener->body(listener->context, transfer->id, (const uint8_t *)bytes, wanted);
  if (wanted == size) return size;
  transfer->is_longer = 1;
  return 0;
}

static int open_socket(void *context, int purpose, void *address) {
  (void)purpose;
  (void)address;
  struct transfer *transfer = context;
  int handed = transfer->socket;
  transfer->socket = -1;
  if (handed >= 0) return handed;
  transfer->needs_connection = 1;
  return CURL_SOCKET_BAD;
}

static int on_socket(void *context, int socket, int purpose) {
  (void)context;
  (void)socket;
  (void)purpose;
  return CURL_SOCKOPT_ALREADY_CONNECTED;
}

static int set(struct transfer *transfer, CURLoption option, long number) {
  return late_curl_easy_setopt(transfer->handle, option, number) == CURLE_OK;
}

static int point(struct transfer *transfer, CURLoption option, const void *pointer) {
  return late_curl_easy_setopt(transfer->handle, option, pointer) == CURLE_OK;
}

static int prepare(struct transfer *transfer, const char *address) {
  struct curl_blob trusted = {.data = transfer->pool->certificates,
                              .len = transfer->pool->certificates_size};
  return set(transfer, CURLOPT_NOSIGNAL, 1) && point(transfer, CURLOPT_URL, address) &&
         set(transfer, CURLOPT_PROTOCOLS, CURLPROTO_HTTP | CURLPROTO_HTTPS) &&
         set(transfer, CURLOPT_HTTPGET, 1) && set(transfer, CURLOPT_PATH_AS_IS, 1) &&
         set(transfer, CURLOPT_FOLLOWLOCATION, 0) && point(transfer, CURLOPT_PROXY, "") &&
         point(transfer, CURLOPT_NOPROXY, "*") && set(transfer, CURLOPT_NETRC, 0) &&
         set(transfer, CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS) &&
         set(transfer, CURLOPT_PIPEWAIT, 1) && set(transfer, CURLOPT_SSL_VERIFYPEER, 1) &&
         set(transfer, CURLOPT_SSL_VERIFYHOST, 2) &&
         set(transfer, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2) &&
         point(transfer, CURLOPT_CAPATH, NULL) && point(transfer, CURLOPT_CAINFO_BLOB, &trusted) &&
         set(transfer, CURLOPT_BUFFERSIZE, buffer_size) &&
         set(transfer, CURLOPT_DNS_CACHE_TIMEOUT, -1) &&
         point(transfer, CURLOPT_RESOLVE, transfer->name) &&
         point(transfer, CURLOPT_HTTPHEADER, transfer->fields) &&
         point(transfer, CURLOPT_ERRORBUFFER, transfer->text) &&
         point(transfer, CURLOPT_PRIVATE, transfer) &&
         point(transfer, CURLOPT_WRITEDATA, transfer) &&
         point(transfer, CURLOPT_HEADERDATA, transfer) &&
         point(transfer, CURLOPT_OPENSOCKETDATA, transfer) &&
         late_curl_easy_setopt(transfer->handle, CURLOPT_WRITEFUNCTION, on_body) == CURLE_OK &&
         late_curl_easy_setopt(transfer->handle, CURLOPT_HEADERFUNCTION, on_line) == CURLE_OK &&
         late_curl_easy_setopt(transfer->handle, CURLOPT_OPENSOCKETFUNCTION, open_socket) ==
             CURLE_OK &&
         late_curl_easy_setopt(transfer->handle, CURLOPT_SOCKOPTFUNCTION, on_socket) == CURLE_OK;
}

static int append(struct curl_slist **list, const char *text) {
  struct curl_slist *longer = late_curl_slist_append(*list, text);
  if (longer != NULL) *list = longer;
  return longer != NULL;
}

int trim_curl_start(trim_curl_pool *pool, const trim_curl_request *request) {
  struct transfer *transfer = calloc(1, sizeof *transfer);
  if (transfer == NULL) {
    if (request->socket >= 0) close(request->socket);
    return -1;
  }
  transfer->id = request->id;
  transfer->pool = pool;
  transfer->socket = request->socket;
  transfer->head_limit = request->head_limit;
  transfer->window_bytes = request->window_bytes;
  transfer->window_time = request->window_milliseconds;
  uint64_t start = now();
  transfer->window_end = start + request->window_milliseconds;
  if (request->total_milliseconds > 0) transfer->end = start + request->total_milliseconds;
  int is_ready = 1;
  for (size_t i = 0; i < request->field_count; i++)
    is_ready = is_ready && append(&transfer->fields, request->fields[i]);
  if (request->name != NULL) {
    // Its socket comes connected, so that no name is resolved here; a documentation address (RFC 5737)
    // stands where the library wants one.
    char entry[400];
    int size = snprintf(entry, sizeof entry, "%s192.0.2.1", request->name);
    is_ready = is_ready && size > 0 && size < (int)sizeof entry && append(&transfer->name, entry);
  }
  transfer->handle = late_curl_easy_init();
  if (!is_ready || transfer->handle == NULL || !prepare(transfer, request->address) ||
      !set(transfer, CURLOPT_FRESH_CONNECT, request->is_fresh && request->socket >= 0) ||
      late_curl_multi_add_handle(pool->multi, transfer->handle) != 0) {
    free_transfer(transfer);
    return -1;
  }
  transfer->next = pool->transfers;
  pool->transfers = transfer;
  return 0;
}

static struct transfer *find(trim_curl_pool *pool, uint64_t id) {
  struct transfer *transfer = pool->transfers;
  while (transfer != NULL && transfer->id != id) transfer = transfer->next;
  return transfer;
}

void trim_curl_limit_body(trim_curl_pool *pool, uint64_t id, uint64_t limit) {
  struct transfer *transfer = find(pool, id);
  if (transfer != NULL) transfer->body_limit = limit;
}

void trim_curl_stop(trim_curl_pool *pool, uint64_t id) {
  struct transfer *transfer = find(pool, id);
  if (transfer != NULL) forget(transfer);
}

static trim_curl_result judge(const struct transfer *transfer, CURLcode code) {
  if (transfer->is_head_too_long) return TRIM_CURL_HEAD_TOO_LONG;
  if (transfer->is_longer) return TRIM_CURL_LONGER;
  switch (code) {
    case CURLE_OK: return TRIM_CURL_DONE;
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_WEIRD_SERVER_REPLY: return TRIM_CURL_NO_HTTP;
    // The library has limits of its own for a head, and for one line of it.
    case CURLE_OUT_OF_MEMORY:
    case CURLE_TOO_LARGE: return TRIM_CURL_HEAD_TOO_LONG;
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_PARTIAL_FILE:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR: return TRIM_CURL_DROPPED;
    // Also what is no valid chunk or field, of which more comes than of a dropped connection.
    case CURLE_RECV_ERROR: return TRIM_CURL_DROPPED;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_PINNEDPUBKEYNOTMATCH:
    case CURLE_SSL_INVALIDCERTSTATUS: return TRIM_CURL_TLS;
    default: return TRIM_CURL_FAILED;
  }
}

static void finish(struct transfer *transfer, trim_curl_result result, CURLcode code) {
  long version = 0;
  late_curl_easy_getinfo(transfer->handle, CURLINFO_HTTP_VERSION, &version);
  const char *text = transfer->text[0] != 0 ? transfer->text : late_curl_easy_strerror(code);
  trim_curl_listener *listener = &transfer->pool->listener;
  listener->end(listener->context, transfer->id, result, version == 3, text);
  forget(transfer);
}

static void finish_ended(trim_curl_pool *pool) {
  int left;
  for (CURLMsg *message; (message = late_curl_multi_info_read(pool->multi, &left)) != NULL;) {
    if (message->msg != CURLMSG_DONE) continue;
    CURLcode code = message->data.result;
    struct transfer *transfer = NULL;
    late_curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &transfer);
    if (transfer == NULL) continue;
    finish(transfer,
           code != CURLE_OK && transfer->needs_connection ? TRIM_CURL_NEEDS_CONNECTION
                                                          : judge(transfer, code),
           code);
  }
}

static void finish_late(trim_curl_pool *pool) {
  uint64_t time = now();
  for (struct transfer *transfer = pool->transfers, *next; transfer != NULL; transfer = next) {
    next = transfer->next;
    if (transfer->end > 0 && time >= transfer->end) {
      finish(transfer, TRIM_CURL_TIMED_OUT, CURLE_OK);
    } else if (time >= transfer->window_end) {
      if (transfer->window_count < transfer->window_bytes) {
        finish(transfer, TRIM_CURL_STALLED, CURLE_OK);
      } else {
        transfer->window_end = time + transfer->window_time;
        transfer->window_count = 0;
      }
    }
  }
}

int trim_curl_go_on(trim_curl_pool *pool, int descriptor, int milliseconds) {
  int running = 0, ready = 0;
  late_curl_multi_perform(pool->multi, &running);
  finish_ended(pool);
  finish_late(pool);
  if (pool->transfers != NULL && milliseconds > longest_wait) milliseconds = longest_wait;
  struct curl_waitfd extra = {.fd = descriptor, .events = CURL_WAIT_POLLIN};
  late_curl_multi_poll(pool->multi, &extra, 1, milliseconds, &ready);
  return extra.revents != 0;
}
