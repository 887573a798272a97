import { type Answer, invalid, refuse } from './answers.js';

/** Behind this, Stripe takes a key for a new one. */
const KEY_LIFETIME_MS = 24 * 3_600_000;

interface KeptAnswer {
  readonly request: string;
  readonly atMs: number;
  answer: Answer | undefined;
}

/** Stripe's idempotency keys: the first answer is kept, whatever it was, and given again. */
export class IdempotencyKeys {
  readonly #kept = new Map<string, KeptAnswer>();

  constructor(private readonly nowMs: () => number) {}

  /** @param request method, path and parameters; others under the same key are refused. */
  async run(
    key: string,
    request: string,
    act: () => Promise<Answer>,
  ): Promise<{ readonly answer: Answer; readonly isReplayed: boolean }> {
    const kept = this.#kept.get(key);
    if (kept && this.nowMs() - kept.atMs < KEY_LIFETIME_MS) return repeat(kept, request);
    const fresh: KeptAnswer = { request, atMs: this.nowMs(), answer: undefined };
    this.#kept.set(key, fresh);
    const answer = structuredClone(await act());
    fresh.answer = answer;
    // Nothing was begun, so that nothing is kept.
    if (answer.status === 400 || answer.status === 503) this.#kept.delete(key);
    return { answer, isReplayed: false };
  }
}

function repeat({ request, answer }: KeptAnswer, asked: string) {
  if (request !== asked) {
    const message = 'Keys for idempotent requests can only be used with the same parameters.';
    return { answer: refuse(400, { type: 'idempotency_error', message }), isReplayed: false };
  }
  if (!answer) {
    const message = 'There is currently another in-progress request using this Idempotent Key.';
    const busy = invalid('idempotency_key_in_use', message, undefined, 409);
    return { answer: busy, isReplayed: false };
  }
  return { answer, isReplayed: true };
}
