#include "Hashing.h"

#include <string.h>

enum { block = 32, lane_count = 4 };

static uint64_t mixed(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static const uint64_t keys[lane_count] = {
    0xA0761D6478BD642F, 0xE7037ED1A0B428DB, 0x8EBC6AF09C88C6E3, 0x589965CC75374CC3};

static void take_block(struct trim_hash *hash, const uint8_t *bytes) {
  for (int lane = 0; lane < lane_count; lane++) {
    uint64_t word;
    memcpy(&word, bytes + 8 * lane, sizeof word);
    // Adding the word keeps a lane from getting stuck at zero.
    hash->lanes[lane] = mixed(hash->lanes[lane] ^ word, keys[lane]) + word;
  }
}

void trim_hash_begin(struct trim_hash *hash) {
  memset(hash, 0, sizeof *hash);
  for (int lane = 0; lane < lane_count; lane++) hash->lanes[lane] = ~keys[lane];
}

void trim_hash_add(struct trim_hash *hash, const void *pointer, size_t count) {
  const uint8_t *bytes = pointer;
  size_t kept = hash->count % block;
  hash->count += count;
  if (kept > 0) {
    size_t taken = count < block - kept ? count : block - kept;
    memcpy(hash->rest + kept, bytes, taken);
    bytes += taken;
    count -= taken;
    if (kept + taken < block) return;
    take_block(hash, hash->rest);
  }
  while (count >= block) {
    take_block(hash, bytes);
    bytes += block;
    count -= block;
  }
  if (count > 0) memcpy(hash->rest, bytes, count);
}

uint64_t trim_hash_end(const struct trim_hash *hash) {
  struct trim_hash last = *hash;
  size_t kept = last.count % block;
  memset(last.rest + kept, 0, block - kept);
  take_block(&last, last.rest);
  uint64_t value = last.count;
  for (int lane = 0; lane < lane_count; lane++)
    value = mixed(value ^ last.lanes[lane], keys[lane]) + last.lanes[lane];
  return value;
}
