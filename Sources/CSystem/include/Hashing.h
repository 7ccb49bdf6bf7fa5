#ifndef TRIM_HASHING_H
#define TRIM_HASHING_H

#include <stddef.h>
#include <stdint.h>

// A hash of a sequence of bytes, which does not depend on how it is divided into pieces. Fast, not
// cryptographic.
struct trim_hash {
  uint64_t lanes[4];
  uint64_t count;
  uint8_t rest[32];
};

void trim_hash_begin(struct trim_hash *hash);
void trim_hash_add(struct trim_hash *hash, const void *bytes, size_t count);

// The hash of the bytes so far; more can be added afterwards.
uint64_t trim_hash_end(const struct trim_hash *hash);

#endif
