#ifndef TRIM_ALLOCATOR_H
#define TRIM_ALLOCATOR_H

/// Keeps freed memory for the next file instead of returning each buffer to the system: in a run over
/// many files, page faults took most of the time.
void trim_tune_allocator(void);

/// Returns free memory to the system, after a step whose buffers are not needed again.
void trim_return_memory(void);

#endif
