#include "pty.h"
#include "terminal.h"
#include "UnnamedFile.h"

#include "CellWidth.h"
#include "Interruption.h"
