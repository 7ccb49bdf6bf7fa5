// A local web server on libmicrohttpd, which is loaded when the first server starts, so that no other
// command pays for it.
//
// libmicrohttpd's own threads call the handler, and never have to wait: an exchange that is not answered
// at once is suspended until it is.
#ifndef TRIM_LATE_MICROHTTPD_H
#define TRIM_LATE_MICROHTTPD_H

#include <stddef.h>
#include <stdint.h>

typedef struct trim_http_server trim_http_server;

// A request that is being answered. Whoever receives one must release it once.
typedef struct trim_http_exchange trim_http_exchange;

typedef struct {
  const char *name;
  const char *value;
} trim_http_field;

// Valid during the call of the handler only.
typedef struct {
  const char *method;
  // As it was sent, not decoded: the path, and the query after '?'.
  const char *target;
  const trim_http_field *fields;
  size_t field_count;
  const uint8_t *body;
  size_t body_size;
} trim_http_request;

typedef void (*trim_http_handler)(void *context, trim_http_exchange *exchange,
                                  const trim_http_request *request);

typedef struct {
  // 0 for any free port.
  uint16_t port;
  // The most simultaneous connections of admitted clients; further ones wait to be accepted.
  unsigned connections;
  // The most simultaneous connections without an admitted request; the oldest gives way to a new one.
  unsigned strangers;
  // The most bytes of a request's line and header fields, and of its body.
  size_t head_limit;
  size_t body_limit;
  // Seconds that a connection may last without an admitted request, and after which an idle one of an
  // admitted client is closed.
  unsigned request_seconds;
  unsigned silence_seconds;
} trim_http_limits;

// The version of the installed libmicrohttpd; NULL, with the reason in `message`, if it cannot be loaded.
const char *trim_http_library_version(char *message, size_t size);

// Starts listening on a numeric address (IPv4 or IPv6). Returns NULL, with the reason in `message`, if that
// fails.
trim_http_server *trim_http_start(const char *address, const trim_http_limits *limits,
                                  trim_http_handler handler, void *context, char *message,
                                  size_t size);
uint16_t trim_http_port(const trim_http_server *server);

// Disconnects clients that take too long to send a request that is admitted; to be called about every
// second.
void trim_http_sweep(trim_http_server *server);

// Marks the connection of an exchange as that of an admitted client; to be called by the handler.
void trim_http_admit(trim_http_exchange *exchange);

// Ends all exchanges; after it returns, the handler is not called anymore. The memory is freed when the
// last exchange is released.
void trim_http_stop(trim_http_server *server);

// Each of these answers an exchange, once, on any thread; it is not an error if the client is gone.
void trim_http_reply(trim_http_exchange *exchange, unsigned status, const trim_http_field *fields,
                     size_t field_count, const uint8_t *body, size_t size);
// Sends a range of a file; takes ownership of the descriptor.
void trim_http_reply_file(trim_http_exchange *exchange, unsigned status,
                          const trim_http_field *fields, size_t field_count, int descriptor,
                          uint64_t offset, uint64_t size);
// Starts a stream, which continues until trim_http_end.
void trim_http_reply_stream(trim_http_exchange *exchange, const trim_http_field *fields,
                            size_t field_count);

// Sends more of a stream. Returns 0, or -1 if the client is gone or more than `most` bytes would wait.
int trim_http_send(trim_http_exchange *exchange, const uint8_t *bytes, size_t size, size_t most);
void trim_http_end(trim_http_exchange *exchange);
void trim_http_release(trim_http_exchange *exchange);

#endif
