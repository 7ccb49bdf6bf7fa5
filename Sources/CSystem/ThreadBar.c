#include "ThreadBar.h"

static _Thread_local unsigned raised;
static _Thread_local uint64_t refusals;

void trim_bar_raise(void) { raised++; }

void trim_bar_lower(void) { raised--; }

int trim_bar_refuses(void) {
  if (raised == 0) return 0;
  refusals++;
  return 1;
}

uint64_t trim_bar_refusals(void) { return refusals; }
