import type { Server } from 'node:http';
import type { Act } from './acts.js';
import { ApiError } from '../answer/api-error.js';

/** By then another process has taken over, or this one has started again. */
const RETRY_AFTER_MS = 2_000;
const CHECK_EVERY_MS = 50;

/** How long a stop waits for clients, in milliseconds (rules/running 1). */
export interface DrainLimits {
  /** For the rest of a request of which a part is here when the stop begins. */
  readonly unsentMs: number;
  /** For an answer to be taken, from the stop or from the answer's beginning if that is later. */
  readonly untakenMs: number;
}

const DRAIN_LIMITS: DrainLimits = { unsentMs: 2_000, untakenMs: 5_000 };

/** The answer to a request that comes over a connection that is still open (rules/running 2). */
export function stoppingRefusal(): ApiError {
  return new ApiError('UNAVAILABLE', {
    reason: 'STOPPING',
    message: 'The service is stopping. Try again: another process, or the next start, answers.',
    headers: { connection: 'close' },
    retryAfterMs: RETRY_AFTER_MS,
  });
}

/**
 * Stops listening and answers requests that have begun. Clients hold nothing up for longer than the limits: a file is
 * read while it is sent, so that a request may be at work and yet never come whole.
 */
export async function closeInOrder(
  server: Server,
  acts: Iterable<Act>,
  close: () => Promise<unknown>,
  limits: DrainLimits = DRAIN_LIMITS,
): Promise<void> {
  const stoppedAt = performance.now();
  const cut = setInterval(() => {
    const now = performance.now();
    if (now < stoppedAt + limits.unsentMs) return;
    const isWaitedFor = [...acts].some(({ request, answeredAt, isWritten }) => {
      if (!request.raw.complete || isWritten) return false;
      const isAnswered = answeredAt !== undefined;
      return !isAnswered || now < Math.max(stoppedAt, answeredAt) + limits.untakenMs;
    });
    if (!isWaitedFor) server.closeAllConnections();
  }, CHECK_EVERY_MS);
  try {
    await close();
  } finally {
    clearInterval(cut);
  }
}
