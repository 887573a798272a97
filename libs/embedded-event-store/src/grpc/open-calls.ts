import type { CallStatus } from '../failures.js';

/** A call that can be ended with a status before its time. */
export interface OpenCall {
  fail(status: CallStatus): void;
}

/**
 * The calls that are open for longer than a turn, so that a stopping server can end each of them.
 */
export type OpenCalls = Set<OpenCall>;
