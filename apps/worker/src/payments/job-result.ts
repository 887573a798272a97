import { toMilliseconds } from '#domain/calendar';
import { ASK_AGAIN_MAX_MS } from '../limits.js';
import type { Causation } from './causation.js';

/** When the gateway is asked again: the longer it is since then, the later, up to the cap. */
export interface AskAgain {
  readonly sinceMs: number;
  readonly capMs: number;
}

/** The outcome of a job, in a word, as it is counted. */
export interface JobResult {
  readonly outcome: string;
  /** Null where the job has ended for good. */
  readonly again: AskAgain | null;
}

export function ended(outcome: string): JobResult & { readonly again: null } {
  return { outcome, again: null };
}

/** An event's charge or refund has no outcome yet. */
export function pendingSince({ occurredAt }: Causation): JobResult & { readonly again: AskAgain } {
  return pendingFrom(toMilliseconds(occurredAt));
}

/** As `pendingSince`, where the wall clock does not tell the age: that of an app may be ahead of it. */
export function pendingFor(ageMs: number): JobResult & { readonly again: AskAgain } {
  return pendingFrom(Date.now() - ageMs);
}

function pendingFrom(sinceMs: number): JobResult & { readonly again: AskAgain } {
  return { outcome: 'pending', again: { sinceMs, capMs: ASK_AGAIN_MAX_MS } };
}
