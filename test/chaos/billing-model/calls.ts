import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../../support/api-client.js';
import { tokenIn } from '../../support/scenario.js';
import type { Part } from '../../support/standalone.js';

const LIMIT_MS = 120_000;
/** An error of the API that a caller tries again: a conflict with another writer, or a part that is away. */
const isPassing = ({ status }: Answer) => status >= 500 || status === 409 || status === 429;

/** Calls of a persistent client: each until there is an answer, whatever dies meanwhile. */
export class Calls {
  #kill: (() => Promise<void>) | undefined;
  /** Of the last answer: with it a read shows the client's own writes. */
  token = '';

  constructor(private readonly stage: { readonly killPart?: (part: Part) => Promise<void> }) {}

  /** The next call is made while this part is killed. */
  killDuringNext(part: Part, afterMs: number): void {
    this.#kill = async () => {
      await sleep(afterMs);
      await this.stage.killPart?.(part);
    };
  }

  /** Calls until there is an answer that stands. */
  async call(
    call: () => Promise<Answer>,
    stands: (answer: Answer) => boolean = ({ status }) => status !== 202,
  ): Promise<Answer> {
    const answer = await this.#persist(async () => {
      const tried = await call();
      if (isPassing(tried) || !stands(tried)) throw new Error(`${tried.status}: ${tried.text}`);
      return tried;
    });
    const token = tokenIn(answer);
    if (token !== '') this.token = token;
    return answer;
  }

  /** Calls again while it fails; the part that is to die dies meanwhile. */
  async #persist<T>(call: () => Promise<T>): Promise<T> {
    const killed = this.#kill?.();
    this.#kill = undefined;
    const endsAt = performance.now() + LIMIT_MS;
    for (;;) {
      try {
        const answer = await call();
        await killed;
        return answer;
      } catch (error) {
        if (performance.now() > endsAt) throw error;
        await sleep(50);
      }
    }
  }
}
