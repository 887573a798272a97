import type { EgressAnswer } from '#egress';
import { cutAnswer } from '#worker-state';

/** What a receiver answered, as much of it as the delivery log keeps. No other log shows any of it. */
export interface Answer {
  readonly status: number;
  /** From the beginning of the attempt to its end. */
  readonly durationMs: number;
  /** The beginning of it, as UTF-8, whatever it says that it is. */
  readonly body: string;
}

/** @returns as much of an answer as is kept. */
export function summarizeAnswer(
  { status, body }: Pick<EgressAnswer, 'status' | 'body'>,
  durationMs: number,
): Answer {
  // Most receivers answer nothing, and what decodes takes microseconds to be made.
  return { status, durationMs, body: body.length === 0 ? '' : cutAnswer(body) };
}
