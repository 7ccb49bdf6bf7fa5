#ifndef TRIM_SCHEDULING_H
#define TRIM_SCHEDULING_H

#include <stdbool.h>

// Takes from the calling thread, and from those that it starts meanwhile, the privilege of being
// scheduled before all others (CAP_SYS_NICE). False where it had none, and nothing changed.
bool trim_give_up_real_time(void);

// Gives it back to the calling thread, where the call before said true.
void trim_regain_real_time(void);

#endif
