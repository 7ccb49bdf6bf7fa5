#include "UnnamedFile.h"

#include "CellWidth.h"
#include "Interruption.h"
