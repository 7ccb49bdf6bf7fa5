#ifndef TRIM_ALLOCATOR_H
#define TRIM_ALLOCATOR_H

/// Keeps freed memory for the next file instead of giving each buffer back to the system: in a run
/// over many files most of the time went into page faults.
void trim_tune_allocator(void);

#endif
