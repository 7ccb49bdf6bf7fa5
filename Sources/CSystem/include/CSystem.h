void trim_system_anchor(void);

#include "CellWidth.h"
#include "Interruption.h"
