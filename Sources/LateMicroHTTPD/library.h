// libmicrohttpd's functions, bound when they are first needed.
#ifndef TRIM_LATEMICROHTTPD_LIBRARY_H
#define TRIM_LATEMICROHTTPD_LIBRARY_H

#if __has_include(<microhttpd.h>)
#define TRIM_HAS_MICROHTTPD 1
#include <microhttpd.h>

#define MICROHTTPD_FUNCTIONS(F)                                                                    \
  F(MHD_start_daemon)                                                                              \
  F(MHD_stop_daemon)                                                                               \
  F(MHD_suspend_connection)                                                                        \
  F(MHD_resume_connection)                                                                         \
  F(MHD_create_response_from_buffer)                                                               \
  F(MHD_create_response_from_fd_at_offset64)                                                       \
  F(MHD_create_response_from_callback)                                                             \
  F(MHD_add_response_header)                                                                       \
  F(MHD_queue_response)                                                                            \
  F(MHD_destroy_response)                                                                          \
  F(MHD_get_connection_values)                                                                     \
  F(MHD_get_connection_info)                                                                       \
  F(MHD_lookup_connection_value)                                                                   \
  F(MHD_is_feature_supported)                                                                      \
  F(MHD_get_version)

#define DECLARE(name) extern __typeof__(&name) late_##name __attribute__((visibility("hidden")));
MICROHTTPD_FUNCTIONS(DECLARE)
#undef DECLARE

#include <stddef.h>

// Returns 0, or -1 with a reason in `message`.
__attribute__((visibility("hidden"))) int trim_http_load(char *message, size_t size);
#endif

#endif
