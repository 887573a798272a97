import { withTimeLimit } from '#platform';
import { ApiError } from '../http/answer/api-error.js';

/** Longer than a healthy store or Redis takes, shorter than load balancers wait for an answer. */
const PROBE_LIMIT_MS = 2_000;
/** How long a client is asked to wait before it comes back. */
const RETRY_AFTER_MS = 1_000;

/** The services that a program needs, by name; each resolves when that part answers. */
export type Probes = Readonly<Record<string, () => Promise<unknown>>>;

/** A part does not answer until an operator acts. `/readyz` shows the message to everybody. */
export class WaitsForOperator extends Error {}

interface Part {
  readonly status: 'up' | 'down';
  /** The part waits for an operator. */
  readonly reason?: string;
}

type Parts = Readonly<Record<string, Part>>;

/** The answer of `/readyz` while all parts are up. */
export interface ReadyReport {
  readonly status: 'ok';
  readonly info: Parts;
  readonly error: Parts;
  readonly details: Parts;
}

/**
 * Whether a program can do its work at this moment: each question probes its parts, within a time
 * limit. Questions that come while an earlier one is under way share its answer, so that a flood of
 * them does not reach the store.
 */
export class Readiness {
  readonly #probes: Probes;
  readonly #limitMs: number;
  #underWay: Promise<Parts> | undefined;

  constructor(probes: Probes, limitMs = PROBE_LIMIT_MS) {
    this.#probes = probes;
    this.#limitMs = limitMs;
  }

  /** @throws ApiError 14 NOT_READY that names the parts that are down, and those that wait for an operator. */
  async require(): Promise<ReadyReport> {
    this.#underWay ??= this.#ask().finally(() => (this.#underWay = undefined));
    const details = await this.#underWay;
    const isReady = Object.values(details).every(({ status }) => status === 'up');
    if (!isReady) throw notReady(details);
    return { status: 'ok', info: details, error: {}, details };
  }

  async #ask(): Promise<Parts> {
    const asked = Object.entries(this.#probes).map(async ([name, probe]) => {
      const answered = withTimeLimit(Promise.resolve().then(probe), this.#limitMs, name).then(
        (): Part => ({ status: 'up' }),
        // The reason stands in the log; this answer is public and says only yes or no, but for operators' own matters.
        (error: unknown): Part =>
          error instanceof WaitsForOperator
            ? { status: 'down', reason: error.message }
            : { status: 'down' },
      );
      return [name, await answered] as const;
    });
    return Object.fromEntries(await Promise.all(asked));
  }
}

function notReady(parts: Parts): ApiError {
  const metadata = Object.fromEntries(
    Object.entries(parts).map(([name, { status }]) => [name, status]),
  );
  const reasons = Object.values(parts).flatMap(({ reason }) => reason ?? []);
  return new ApiError('UNAVAILABLE', {
    reason: 'NOT_READY',
    message:
      reasons.length === 0
        ? 'The service is not ready: a part that it needs is out of reach.'
        : `The service is not ready. ${reasons.join(' ')}`,
    metadata,
    retryAfterMs: RETRY_AFTER_MS,
  });
}
