#include "CSystem.h"
void trim_system_anchor(void) {}
