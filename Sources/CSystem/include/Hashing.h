#ifndef TRIM_HASHING_H
#define TRIM_HASHING_H

#include <stddef.h>
#include <stdint.h>

// A number for a sequence of bytes, however it comes in pieces: equal sequences have equal ones.
// Fast rather than secret.
struct trim_hash {
  uint64_t lanes[4];
  uint64_t count;
  uint8_t rest[32];
};

void trim_hash_begin(struct trim_hash *hash);
void trim_hash_add(struct trim_hash *hash, const void *bytes, size_t count);

// May be asked at any time; more can be added after it.
uint64_t trim_hash_end(const struct trim_hash *hash);

#endif
