#ifndef TRIM_SCHEDULING_H
#define TRIM_SCHEDULING_H

#include <stdbool.h>

// Drops the privilege of real-time scheduling (CAP_SYS_NICE) from the calling thread, and from those that
// it starts meanwhile. Returns false if the thread did not have it, or it could not be dropped.
bool trim_give_up_real_time(void);

// Restores it in the calling thread, after trim_give_up_real_time returned true.
void trim_regain_real_time(void);

#endif
