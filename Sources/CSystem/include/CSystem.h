#include "pty.h"
#include "terminal.h"
#include "thread.h"
#include "Publishing.h"
#include "UnnamedFile.h"

#include "Allocator.h"
#include "CellWidth.h"
#include "Interruption.h"
