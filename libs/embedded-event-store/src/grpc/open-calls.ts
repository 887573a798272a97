import type { CallSink } from './calls.js';

/** The streaming calls that are open, so that a stopping server can tell each of them. */
export type OpenCalls = Set<CallSink>;
