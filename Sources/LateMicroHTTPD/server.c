#define _GNU_SOURCE
#include "exchange.h"

#include <stdio.h>

#ifdef TRIM_HAS_MICROHTTPD
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { most_fields = 100, threads = 4 };

static time_t seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

void server_release(struct trim_http_server *server) {
  if (atomic_fetch_sub(&server->references, 1) != 1) return;
  pthread_mutex_destroy(&server->lock);
  free(server);
}

// Connections.

// The lock must be held.
static void disconnect(struct trim_http_client *client) {
  client->is_leaving = true;
  shutdown(client->descriptor, SHUT_RDWR);
}

// Strangers cannot keep others out: the oldest of too many gives way. The lock must be held.
static void make_room(struct trim_http_server *server) {
  unsigned strangers = 0;
  struct trim_http_client *oldest = NULL;
  for (struct trim_http_client *client = server->clients; client != NULL; client = client->next)
    if (!client->is_admitted && !client->is_leaving) {
      strangers++;
      oldest = client;
    }
  if (strangers > server->limits.strangers) disconnect(oldest);
}

static void connection_changed(void *context, struct MHD_Connection *connection,
                               void **slot, enum MHD_ConnectionNotificationCode code) {
  struct trim_http_server *server = context;
  if (code == MHD_CONNECTION_NOTIFY_STARTED) {
    const union MHD_ConnectionInfo *info =
        late_MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    struct trim_http_client *client = calloc(1, sizeof *client);
    *slot = client;
    if (client == NULL || info == NULL) return;
    client->descriptor = info->connect_fd;
    client->deadline = seconds_now() + server->limits.request_seconds;
    pthread_mutex_lock(&server->lock);
    client->next = server->clients;
    server->clients = client;
    make_room(server);
    pthread_mutex_unlock(&server->lock);
  } else if (*slot != NULL) {
    // Its descriptor is still open here.
    pthread_mutex_lock(&server->lock);
    struct trim_http_client **link = &server->clients;
    while (*link != NULL && *link != *slot) link = &(*link)->next;
    if (*link != NULL) *link = (*link)->next;
    pthread_mutex_unlock(&server->lock);
    free(*slot);
    *slot = NULL;
  }
}

static struct trim_http_client *client_of(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      late_MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info != NULL ? info->socket_context : NULL;
}

// Begins a new wait: `seconds` for an admitted client, or no limit if 0. The lock must be held.
static void set_deadline(struct trim_http_server *server, struct MHD_Connection *connection,
                         unsigned seconds) {
  struct trim_http_client *client = client_of(connection);
  if (client == NULL) return;
  if (!client->is_admitted) seconds = server->limits.request_seconds;
  client->deadline = seconds == 0 ? 0 : seconds_now() + seconds;
}

void trim_http_admit(trim_http_exchange *exchange) {
  struct trim_http_server *server = exchange->server;
  pthread_mutex_lock(&server->lock);
  struct trim_http_client *client =
      exchange->connection != NULL ? client_of(exchange->connection) : NULL;
  if (client != NULL) client->is_admitted = true;
  pthread_mutex_unlock(&server->lock);
}

void trim_http_sweep(trim_http_server *server) {
  time_t now = seconds_now();
  pthread_mutex_lock(&server->lock);
  for (struct trim_http_client *client = server->clients; client != NULL; client = client->next)
    if (client->deadline != 0 && client->deadline <= now) disconnect(client);
  pthread_mutex_unlock(&server->lock);
}

// Requests.

static void *request_began(void *context, const char *target, struct MHD_Connection *connection) {
  (void)connection;
  return exchange_make(context, target);
}

static size_t leave_escaped(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

struct field_list {
  trim_http_field fields[most_fields];
  size_t count;
  bool is_whole;
};

static enum MHD_Result add_field(void *context, enum MHD_ValueKind kind, const char *name,
                                 const char *value) {
  (void)kind;
  struct field_list *list = context;
  if (list->count == most_fields) {
    list->is_whole = false;
    return MHD_NO;
  }
  list->fields[list->count++] = (trim_http_field){name, value != NULL ? value : ""};
  return MHD_YES;
}

static enum MHD_Result refuse(struct MHD_Connection *connection, unsigned status) {
  struct MHD_Response *response =
      late_MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
  if (response == NULL) return MHD_NO;
  late_MHD_add_response_header(response, "Connection", "close");
  late_MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
  enum MHD_Result result = late_MHD_queue_response(connection, status, response);
  late_MHD_destroy_response(response);
  return result;
}

// Whether the client announces a body larger than the limit.
static bool says_too_much(struct trim_http_server *server, struct MHD_Connection *connection) {
  const char *length =
      late_MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
  return length != NULL && strtoull(length, NULL, 10) > server->limits.body_limit;
}

// Whether the head of a request has the size that its parts give, with CRLF after each line and one space
// after the colon of a field.
//
// libmicrohttpd before 1.0 takes a bare LF or CR for the end of a line, and does not report it; two programs
// that see the ends of lines in different places (RFC 9112, 2.2 and 11.2) see different requests.
static bool has_plain_lines(struct MHD_Connection *connection, const char *method,
                            const char *target, const char *version,
                            const struct field_list *list) {
  if (late_MHD_get_version()[0] != '0') return true;
  const union MHD_ConnectionInfo *info =
      late_MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  if (info == NULL) return true;
  size_t size = strlen(method) + 1 + strlen(target) + 1 + strlen(version) + 2;
  for (size_t i = 0; i < list->count; i++)
    size += strlen(list->fields[i].name) + 2 + strlen(list->fields[i].value) + 2;
  return info->header_size == size + 2;
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *path,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **slot) {
  (void)path;
  struct trim_http_server *server = context;
  struct trim_http_exchange *exchange = *slot;
  if (exchange == NULL) return MHD_NO;
  if (exchange->connection == NULL) {
    pthread_mutex_lock(&server->lock);
    bool is_stopping = server->is_stopping;
    if (!is_stopping) exchange->connection = connection;
    pthread_mutex_unlock(&server->lock);
    if (is_stopping) return MHD_NO;
    return says_too_much(server, connection) ? refuse(connection, 413) : MHD_YES;
  }
  if (*size > 0) {
    if (exchange->body_size + *size > server->limits.body_limit) return MHD_NO;
    uint8_t *body = realloc(exchange->body, exchange->body_size + *size);
    if (body == NULL) return MHD_NO;
    memcpy(body + exchange->body_size, data, *size);
    exchange->body = body;
    exchange->body_size += *size;
    *size = 0;
    return MHD_YES;
  }
  if (!exchange->was_handed) {
    exchange->was_handed = true;
    struct field_list list = {.count = 0, .is_whole = true};
    late_MHD_get_connection_values(connection, MHD_HEADER_KIND, add_field, &list);
    if (!list.is_whole) return refuse(connection, 431);
    if (!has_plain_lines(connection, method, exchange->target, version, &list))
      return refuse(connection, 400);
    trim_http_request request = {
        .method = method,
        .target = exchange->target,
        .fields = list.fields,
        .field_count = list.count,
        .body = exchange->body,
        .body_size = exchange->body_size,
    };
    exchange_retain(exchange);
    server->handler(server->context, exchange, &request);
    pthread_mutex_lock(&server->lock);
    set_deadline(server, connection, 0);
    pthread_mutex_unlock(&server->lock);
  }
  pthread_mutex_lock(&server->lock);
  struct MHD_Response *response = exchange->response;
  exchange->response = NULL;
  bool is_stopping = server->is_stopping;
  if (response == NULL && !is_stopping) exchange_suspend(exchange);
  pthread_mutex_unlock(&server->lock);
  if (response == NULL) return is_stopping ? MHD_NO : MHD_YES;
  enum MHD_Result result = late_MHD_queue_response(connection, exchange->status, response);
  late_MHD_destroy_response(response);
  return result;
}

static void request_ended(void *context, struct MHD_Connection *connection, void **slot,
                          enum MHD_RequestTerminationCode code) {
  (void)code;
  struct trim_http_server *server = context;
  struct trim_http_exchange *exchange = *slot;
  *slot = NULL;
  pthread_mutex_lock(&server->lock);
  set_deadline(server, connection,
               server->limits.silence_seconds + server->limits.request_seconds);
  if (exchange != NULL) exchange->connection = NULL;
  pthread_mutex_unlock(&server->lock);
  if (exchange != NULL) trim_http_release(exchange);
}

static void say_nothing(void *context, const char *format, va_list arguments) {
  (void)context;
  (void)format;
  (void)arguments;
}

// Returns a descriptor, or -1 with errno.
static int listen_on(struct trim_http_server *server, const char *name, uint16_t port) {
  union {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
  } address = {0};
  socklen_t length = sizeof address.four;
  in_port_t *number = &address.four.sin_port;
  if (inet_pton(AF_INET, name, &address.four.sin_addr) == 1) {
    address.any.sa_family = AF_INET;
  } else if (inet_pton(AF_INET6, name, &address.six.sin6_addr) == 1) {
    address.any.sa_family = AF_INET6;
    length = sizeof address.six;
    number = &address.six.sin6_port;
  } else {
    errno = EINVAL;
    return -1;
  }
  *number = htons(port);
  int descriptor = socket(address.any.sa_family, SOCK_STREAM, 0);
  if (descriptor < 0) return -1;
  int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(descriptor, &address.any, length) != 0 || listen(descriptor, SOMAXCONN) != 0 ||
      getsockname(descriptor, &address.any, &length) != 0) {
    int failure = errno;
    close(descriptor);
    errno = failure;
    return -1;
  }
  server->port = ntohs(*number);
  return descriptor;
}

const char *trim_http_library_version(char *message, size_t size) {
  return trim_http_load(message, size) == 0 ? late_MHD_get_version() : NULL;
}

trim_http_server *trim_http_start(const char *address, const trim_http_limits *limits,
                                  trim_http_handler handler, void *context, char *message,
                                  size_t size) {
  if (trim_http_load(message, size) != 0) return NULL;
  struct trim_http_server *server = calloc(1, sizeof *server);
  if (server == NULL) {
    snprintf(message, size, "out of memory");
    return NULL;
  }
  atomic_init(&server->references, 1);
  server->limits = *limits;
  server->handler = handler;
  server->context = context;
  pthread_mutex_init(&server->lock, NULL);
  int descriptor = listen_on(server, address, limits->port);
  if (descriptor < 0) {
    snprintf(message, size, "port %u on %s: %s", limits->port, address, strerror(errno));
    server_release(server);
    return NULL;
  }
  unsigned flags = MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG |
                   (late_MHD_is_feature_supported(MHD_FEATURE_EPOLL) == MHD_YES
                        ? MHD_USE_EPOLL_INTERNAL_THREAD
                        : MHD_USE_AUTO_INTERNAL_THREAD);
  server->daemon = late_MHD_start_daemon(
      flags, 0, NULL, NULL, handle, server, MHD_OPTION_EXTERNAL_LOGGER, say_nothing, NULL,
      MHD_OPTION_LISTEN_SOCKET, descriptor, MHD_OPTION_CONNECTION_LIMIT,
      // Each thread accepts a share of its own: one that has all the strangers still accepts the next,
      // for which the oldest gives way.
      limits->connections + threads * (limits->strangers + 1),
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, limits->head_limit, MHD_OPTION_CONNECTION_TIMEOUT,
      limits->silence_seconds, MHD_OPTION_THREAD_POOL_SIZE, (unsigned)threads, MHD_OPTION_STRICT_FOR_CLIENT, 1,
      MHD_OPTION_URI_LOG_CALLBACK, request_began, server, MHD_OPTION_UNESCAPE_CALLBACK,
      leave_escaped, NULL, MHD_OPTION_NOTIFY_COMPLETED, request_ended, server,
      MHD_OPTION_NOTIFY_CONNECTION, connection_changed, server, MHD_OPTION_END);
  if (server->daemon == NULL) {
    snprintf(message, size, "the server could not be started: %s", strerror(errno));
    close(descriptor);
    server_release(server);
    return NULL;
  }
  return server;
}

uint16_t trim_http_port(const trim_http_server *server) { return server->port; }

void trim_http_stop(trim_http_server *server) {
  // Suspended exchanges must be resumed before libmicrohttpd can be stopped.
  pthread_mutex_lock(&server->lock);
  server->is_stopping = true;
  while (server->suspended != NULL) exchange_wake(server->suspended);
  pthread_mutex_unlock(&server->lock);
  late_MHD_stop_daemon(server->daemon);
  server_release(server);
}
#else
// A build without libmicrohttpd's header: nothing but the message that says so.
const char *trim_http_library_version(char *message, size_t size) {
  snprintf(message, size, "this build of trim has no web server (libmicrohttpd)");
  return NULL;
}
trim_http_server *trim_http_start(const char *address, const trim_http_limits *limits,
                                  trim_http_handler handler, void *context, char *message,
                                  size_t size) {
  (void)address, (void)limits, (void)handler, (void)context;
  trim_http_library_version(message, size);
  return NULL;
}
uint16_t trim_http_port(const trim_http_server *server) { return server != NULL ? 0 : 0; }
void trim_http_sweep(trim_http_server *server) { (void)server; }
void trim_http_admit(trim_http_exchange *exchange) { (void)exchange; }
void trim_http_stop(trim_http_server *server) { (void)server; }
void trim_http_reply(trim_http_exchange *exchange, unsigned status, const trim_http_field *fields,
                     size_t count, const uint8_t *body, size_t size) {
  (void)exchange, (void)status, (void)fields, (void)count, (void)body, (void)size;
}
void trim_http_reply_file(trim_http_exchange *exchange, unsigned status,
                          const trim_http_field *fields, size_t count, int descriptor,
                          uint64_t offset, uint64_t size) {
  (void)exchange, (void)status, (void)fields, (void)count, (void)descriptor, (void)offset;
  (void)size;
}
void trim_http_reply_stream(trim_http_exchange *exchange, const trim_http_field *fields,
                            size_t count) {
  (void)exchange, (void)fields, (void)count;
}
int trim_http_send(trim_http_exchange *exchange, const uint8_t *bytes, size_t size, size_t most) {
  (void)exchange, (void)bytes, (void)size, (void)most;
  return -1;
}
void trim_http_end(trim_http_exchange *exchange) { (void)exchange; }
void trim_http_release(trim_http_exchange *exchange) { (void)exchange; }
#endif
