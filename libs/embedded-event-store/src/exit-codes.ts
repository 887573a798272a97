/** How the program ends; its supervisor relies on the numbers. */
export const EXIT_REFUSED = 1;
export const EXIT_BAD_USAGE = 2;

/** EX_DATAERR: the store is damaged, stderr names the place, and another start does not help. */
export const EXIT_DAMAGED = 65;

/** A commit failed: memory was ahead of the disk. */
export const EXIT_AFTER_FAILED_COMMIT = 70;
