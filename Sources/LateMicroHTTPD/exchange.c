#include "exchange.h"

#ifdef TRIM_HAS_MICROHTTPD
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trim_http_exchange *exchange_make(struct trim_http_server *server, const char *target) {
  struct trim_http_exchange *exchange = calloc(1, sizeof *exchange);
  if (exchange == NULL) return NULL;
  exchange->target = strdup(target);
  if (exchange->target == NULL) {
    free(exchange);
    return NULL;
  }
  atomic_init(&exchange->references, 1);
  exchange->server = server;
  atomic_fetch_add(&server->references, 1);
  return exchange;
}

void exchange_retain(struct trim_http_exchange *exchange) {
  atomic_fetch_add(&exchange->references, 1);
}

void trim_http_release(struct trim_http_exchange *exchange) {
  if (atomic_fetch_sub(&exchange->references, 1) != 1) return;
  if (exchange->response != NULL) late_MHD_destroy_response(exchange->response);
  struct trim_http_server *server = exchange->server;
  free(exchange->target);
  free(exchange->body);
  free(exchange->waiting);
  free(exchange);
  server_release(server);
}

void exchange_suspend(struct trim_http_exchange *exchange) {
  struct trim_http_server *server = exchange->server;
  late_MHD_suspend_connection(exchange->connection);
  exchange->is_suspended = true;
  exchange->next_suspended = server->suspended;
  server->suspended = exchange;
}

void exchange_wake(struct trim_http_exchange *exchange) {
  if (!exchange->is_suspended) return;
  struct trim_http_exchange **link = &exchange->server->suspended;
  while (*link != exchange) link = &(*link)->next_suspended;
  *link = exchange->next_suspended;
  exchange->is_suspended = false;
  late_MHD_resume_connection(exchange->connection);
}

// Takes ownership of the response.
static void answer(struct trim_http_exchange *exchange, unsigned status,
                   struct MHD_Response *response, const trim_http_field *fields, size_t count) {
  if (response == NULL) return;
  for (size_t i = 0; i < count; i++)
    late_MHD_add_response_header(response, fields[i].name, fields[i].value);
  pthread_mutex_t *lock = &exchange->server->lock;
  pthread_mutex_lock(lock);
  bool is_wanted = exchange->connection != NULL && exchange->response == NULL && exchange->status == 0;
  if (is_wanted) {
    exchange->response = response;
    exchange->status = status;
    exchange_wake(exchange);
  }
  pthread_mutex_unlock(lock);
  if (!is_wanted) late_MHD_destroy_response(response);
}

void trim_http_reply(trim_http_exchange *exchange, unsigned status, const trim_http_field *fields,
                     size_t count, const uint8_t *body, size_t size) {
  struct MHD_Response *response =
      late_MHD_create_response_from_buffer(size, (void *)body, MHD_RESPMEM_MUST_COPY);
  answer(exchange, status, response, fields, count);
}

void trim_http_reply_file(trim_http_exchange *exchange, unsigned status,
                          const trim_http_field *fields, size_t count, int descriptor,
                          uint64_t offset, uint64_t size) {
  struct MHD_Response *response =
      late_MHD_create_response_from_fd_at_offset64(size, descriptor, offset);
  if (response == NULL) close(descriptor);
  answer(exchange, status, response, fields, count);
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t room) {
  (void)position;
  struct trim_http_exchange *exchange = context;
  struct trim_http_server *server = exchange->server;
  pthread_mutex_lock(&server->lock);
  ssize_t given = 0;
  if (exchange->waiting_size > 0) {
    size_t size = exchange->waiting_size < room ? exchange->waiting_size : room;
    memcpy(buffer, exchange->waiting, size);
    exchange->waiting_size -= size;
    memmove(exchange->waiting, exchange->waiting + size, exchange->waiting_size);
    given = (ssize_t)size;
  } else if (exchange->is_ended || server->is_stopping) {
    given = MHD_CONTENT_READER_END_OF_STREAM;
  } else {
    exchange_suspend(exchange);
  }
  pthread_mutex_unlock(&server->lock);
  return given;
}

static void free_stream(void *context) { trim_http_release(context); }

void trim_http_reply_stream(trim_http_exchange *exchange, const trim_http_field *fields,
                            size_t count) {
  exchange_retain(exchange);
  struct MHD_Response *response = late_MHD_create_response_from_callback(
      MHD_SIZE_UNKNOWN, 16384, read_stream, exchange, free_stream);
  if (response == NULL) trim_http_release(exchange);
  answer(exchange, MHD_HTTP_OK, response, fields, count);
}

int trim_http_send(trim_http_exchange *exchange, const uint8_t *bytes, size_t size, size_t most) {
  pthread_mutex_t *lock = &exchange->server->lock;
  pthread_mutex_lock(lock);
  int status = -1;
  if (exchange->connection != NULL && !exchange->is_ended && exchange->waiting_size + size <= most) {
    uint8_t *waiting = realloc(exchange->waiting, exchange->waiting_size + size);
    if (waiting != NULL) {
      memcpy(waiting + exchange->waiting_size, bytes, size);
      exchange->waiting = waiting;
      exchange->waiting_size += size;
      // Before the response has begun, there is nothing to wake.
      if (exchange->status != 0 && exchange->response == NULL) exchange_wake(exchange);
      status = 0;
    }
  }
  pthread_mutex_unlock(lock);
  return status;
}

void trim_http_end(trim_http_exchange *exchange) {
  pthread_mutex_lock(&exchange->server->lock);
  exchange->is_ended = true;
  if (exchange->status != 0 && exchange->response == NULL) exchange_wake(exchange);
  pthread_mutex_unlock(&exchange->server->lock);
}
#endif
