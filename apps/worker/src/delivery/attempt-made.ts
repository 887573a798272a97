import type { Instant } from '#domain/event';
import type { AttemptError } from '#worker-state';
import type { Answer } from './answer.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** What was seen of an attempt, for the log of its endpoint (rules/webhooks 10). */
export interface AttemptMade {
  readonly message: Pick<OutgoingMessage, 'type' | 'sequence' | 'player'>;
  readonly startedAt: Instant;
  /** Where its endpoint was then. */
  readonly url: string;
  readonly durationMs: number;
  /** As much of it as came. */
  readonly answer: Answer | undefined;
  /** Null where it was delivered. */
  readonly error: AttemptError | null;
}
