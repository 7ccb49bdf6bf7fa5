// The internals of a server and its exchanges.
#ifndef TRIM_LATEMICROHTTPD_EXCHANGE_H
#define TRIM_LATEMICROHTTPD_EXCHANGE_H

#include "LateMicroHTTPD.h"
#include "library.h"

#ifdef TRIM_HAS_MICROHTTPD
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

// A client's connection, which may carry many requests.
struct trim_http_client {
  int descriptor;
  // When it is disconnected; 0 while a request of an admitted client is being answered.
  time_t deadline;
  // Whether one of its requests was admitted; until then it is a stranger's.
  bool is_admitted;
  // Whether it was disconnected, and only its thread has yet to notice.
  bool is_leaving;
  struct trim_http_client *next;
};

struct trim_http_server {
  atomic_int references;
  struct MHD_Daemon *daemon;
  trim_http_limits limits;
  trim_http_handler handler;
  void *context;
  uint16_t port;

  // Guards everything below, and the fields of exchanges that are marked so.
  pthread_mutex_t lock;
  bool is_stopping;
  // Newest first.
  struct trim_http_client *clients;
  struct trim_http_exchange *suspended;
};

struct trim_http_exchange {
  atomic_int references;
  struct trim_http_server *server;
  char *target;
  uint8_t *body;
  size_t body_size;
  bool was_handed;

  // This and everything below is guarded by the server's lock.
  // NULL once the exchange is over.
  struct MHD_Connection *connection;
  // The response to send, with its status; NULL before it is known and once it is queued.
  struct MHD_Response *response;
  unsigned status;
  bool is_suspended;
  struct trim_http_exchange *next_suspended;
  // Bytes of a stream that are waiting to be sent.
  uint8_t *waiting;
  size_t waiting_size;
  bool is_ended;
};

#pragma GCC visibility push(hidden)
struct trim_http_exchange *exchange_make(struct trim_http_server *server, const char *target);
void exchange_retain(struct trim_http_exchange *exchange);
// Suspends the exchange until exchange_wake; the lock must be held.
void exchange_suspend(struct trim_http_exchange *exchange);
void exchange_wake(struct trim_http_exchange *exchange);
void server_release(struct trim_http_server *server);
#pragma GCC visibility pop
#endif

#endif
