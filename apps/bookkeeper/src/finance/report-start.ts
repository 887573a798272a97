/** The first line of the answer of a process that works on a task; the answer follows it. */
export type ReportStart = 'begun' | { readonly reason: string; readonly message: string };

/** Exit codes of that process beside 0: the store is out of reach, and asking again may help. */
export const EXIT_UNREACHABLE = 3;
