// What a decoder that was taken over would try, from inside the process it runs in.
#ifndef TRIM_ATTACKS_H
#define TRIM_ATTACKS_H

int trim_attack_count(void);
const char *trim_attack_name(int index);

// Tries it: 0 where it worked, else its errno. Harmless where it works. `folder` is one that the
// process could write to if it were not sealed, with a file `victim` in it.
int trim_attack_try(int index, const char *folder);

// A descriptor above those that a sealed process has of its own: open ones are left over from
// whoever started it. Their count.
int trim_attack_inherited_descriptors(void);

// Makes every system call that a sealed process has no use for, by its number; less than 0, with EPERM
// in errno, where all of them are refused.
long trim_attack_other_numbers(void);

// This process talks through sockets that it is handed: what that needs is not among the other numbers.
void trim_attack_has_connections(void);

#endif
