// A web server for one machine on libmicrohttpd, which is loaded when the first server starts, so
// that no other command pays for it.
//
// libmicrohttpd's own threads call the handler; they are never made to wait: an exchange that is
// not answered at once is set aside until it is.
#ifndef TRIM_LATE_MICROHTTPD_H
#define TRIM_LATE_MICROHTTPD_H

#include <stddef.h>
#include <stdint.h>

typedef struct trim_http_server trim_http_server;

// A request that is being answered. Whoever is handed one releases it once.
typedef struct trim_http_exchange trim_http_exchange;

typedef struct {
  const char *name;
  const char *value;
} trim_http_field;

// Valid during the call of the handler only.
typedef struct {
  const char *method;
  // As it was sent, not decoded: the path and what stands behind '?'.
  const char *target;
  const trim_http_field *fields;
  size_t field_count;
  const uint8_t *body;
  size_t body_size;
} trim_http_request;

typedef void (*trim_http_handler)(void *context, trim_http_exchange *exchange,
                                  const trim_http_request *request);

typedef struct {
  // 0 for any that is free.
  uint16_t port;
  // Connections at once; what is beyond waits to be accepted.
  unsigned connections;
  // Bytes of a request's line and fields, and of its body.
  size_t head_limit;
  size_t body_limit;
  // Seconds in which a request must have come whole, and after which a silent connection ends.
  unsigned request_seconds;
  unsigned silence_seconds;
} trim_http_limits;

// The version of libmicrohttpd here. Returns NULL where it cannot be loaded, and why in `message`.
const char *trim_http_library_version(char *message, size_t size);

// Begins to listen on an address in digits (IPv4 or IPv6). Returns NULL, and why in `message`.
trim_http_server *trim_http_start(const char *address, const trim_http_limits *limits,
                                  trim_http_handler handler, void *context, char *message,
                                  size_t size);
uint16_t trim_http_port(const trim_http_server *server);

// Cuts off clients that take too long to say what they want; to be called every second or so.
void trim_http_sweep(trim_http_server *server);

// Ends all exchanges; the handler is not called any more when it returns. The memory is freed with
// the last exchange that is released.
void trim_http_stop(trim_http_server *server);

// Each of these answers an exchange once, on any thread; a client that has gone is no error.
void trim_http_reply(trim_http_exchange *exchange, unsigned status, const trim_http_field *fields,
                     size_t field_count, const uint8_t *body, size_t size);
// A stretch of a file; takes the descriptor.
void trim_http_reply_file(trim_http_exchange *exchange, unsigned status,
                          const trim_http_field *fields, size_t field_count, int descriptor,
                          uint64_t offset, uint64_t size);
// Goes on until it is ended.
void trim_http_reply_stream(trim_http_exchange *exchange, const trim_http_field *fields,
                            size_t field_count);

// More of a stream. Returns 0, or -1 where the client has gone or more than `most` bytes wait.
int trim_http_send(trim_http_exchange *exchange, const uint8_t *bytes, size_t size, size_t most);
void trim_http_end(trim_http_exchange *exchange);
void trim_http_release(trim_http_exchange *exchange);

#endif
