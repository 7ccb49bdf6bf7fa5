// libcurl, loaded by the process that fetches and by nothing else.
//
// One thread. Sockets come connected from outside: nothing here resolves a name, makes a socket or connects
// one.
#ifndef TRIM_LATE_CURL_H
#define TRIM_LATE_CURL_H

#include <stddef.h>
#include <stdint.h>

typedef struct trim_curl_pool trim_curl_pool;

// How a transfer ended.
typedef enum {
  // The whole answer arrived.
  TRIM_CURL_DONE,
  // More came than the limit of its body, and the rest was not read.
  TRIM_CURL_LONGER,
  // No kept connection can be used: it is to be asked again with a connected socket.
  TRIM_CURL_NEEDS_CONNECTION,
  // The connection ended, or broke the protocol, before the whole answer had arrived.
  TRIM_CURL_DROPPED,
  // Less arrived within the time of a window than must.
  TRIM_CURL_STALLED,
  TRIM_CURL_TIMED_OUT,
  TRIM_CURL_HEAD_TOO_LONG,
  // Not HTTP.
  TRIM_CURL_NO_HTTP,
  TRIM_CURL_TLS,
  TRIM_CURL_FAILED
} trim_curl_result;

typedef struct {
  uint64_t id;
  // Without credentials and fragment.
  const char *address;
  // "HOST:PORT:", for a name; NULL for a numeric address.
  const char *name;
  // Lines of the head, each "NAME: VALUE".
  const char *const *fields;
  size_t field_count;
  // A connected socket that does not block, or -1; closed when it is not needed.
  int socket;
  // Whether that socket is used even where a kept connection has become free meanwhile: the pool then has one
  // more for the next time, instead of one that was made for nothing.
  int is_fresh;
  // The most bytes of all lines of heads.
  uint64_t head_limit;
  // At least so many bytes must arrive in each such time.
  uint64_t window_bytes;
  uint64_t window_milliseconds;
  // 0 for none.
  uint64_t total_milliseconds;
} trim_curl_request;

typedef struct {
  void *context;
  // A line of the head, with its end.
  void (*line)(void *context, uint64_t id, const uint8_t *bytes, size_t size);
  void (*body)(void *context, uint64_t id, const uint8_t *bytes, size_t size);
  // `text` is what the library says about it.
  void (*end)(void *context, uint64_t id, trim_curl_result result, int is_second_version,
              const char *text);
} trim_curl_listener;

// Loads the library and what it will need, so that nothing is opened later. `certificates` (PEM) are those
// that are trusted. Returns NULL, with the reason in `message`, if that fails. To be called while the process
// has one thread.
trim_curl_pool *trim_curl_make_pool(const uint8_t *certificates, size_t size,
                                    const trim_curl_listener *listener, char *message,
                                    size_t message_size);
void trim_curl_free_pool(trim_curl_pool *pool);

typedef struct {
  // Such as "7.88.1".
  const char *version;
  // Of TLS, such as "OpenSSL/3.0.17"; NULL where it has none.
  const char *tls;
  int has_second_version;
} trim_curl_library;

// The library; of a pool only.
trim_curl_library trim_curl_version(void);

// Returns -1 where the request cannot be made.
int trim_curl_start(trim_curl_pool *pool, const trim_curl_request *request);
// The most bytes of its body that are wanted; to be called for the end of a head.
void trim_curl_limit_body(trim_curl_pool *pool, uint64_t id, uint64_t limit);
// Ends a transfer without another word about it.
void trim_curl_stop(trim_curl_pool *pool, uint64_t id);

// Goes on with all transfers, waiting up to so long for any of them or for `descriptor`. Returns whether
// `descriptor` can be read.
int trim_curl_go_on(trim_curl_pool *pool, int descriptor, int milliseconds);

#endif
