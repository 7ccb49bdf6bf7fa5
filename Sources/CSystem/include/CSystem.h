#include "pty.h"
#include "terminal.h"
#include "thread.h"
#include "UnnamedFile.h"

#include "Allocator.h"
#include "CellWidth.h"
#include "Interruption.h"
