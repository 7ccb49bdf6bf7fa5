#ifndef TRIM_ALLOCATOR_H
#define TRIM_ALLOCATOR_H

/// Keeps freed memory for the next file instead of giving each buffer back to the system: in a run
/// over many files most of the time went into page faults.
void trim_tune_allocator(void);

/// Gives back what is free, after a step whose buffers nothing that follows will want.
void trim_return_memory(void);

#endif
