/** The key under which a route says who may call it; the decorator sets it and the guard reads it. */
export const CALLERS = 'subledger:callers';
