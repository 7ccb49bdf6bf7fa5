// Whether a sanitizer that tracks memory or threads is built in; only for this module's C code.
#ifndef TRIM_SANITIZED_H
#define TRIM_SANITIZED_H

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || \
    __has_feature(thread_sanitizer)
#define IS_SANITIZED 1
#else
#define IS_SANITIZED 0
#endif

#endif
