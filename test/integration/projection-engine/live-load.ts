import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '#platform';
import type { ReadModels } from '#projection-engine';
import { subscriptions } from '#projections';
import { subscriptionCanceled, subscriptionReactivated, type TestStore } from './support.js';

const PAGE = 3;
const WAIT = { timeoutMs: 30_000 };

interface LoadParts {
  readonly store: TestStore;
  readonly readModels: ReadModels;
  /** Subscriptions that were created and not changed since. */
  readonly ids: readonly string[];
  /** Between two changes, in milliseconds. */
  readonly pauseMs?: number;
  /** Whether an answer may be `unavailable` now, as after a loss of Redis. */
  readonly mayBeUnavailable?: () => boolean;
}

/**
 * A writer, and readers who compare each answer with their own fold: a subscription is canceled at odd revisions, and active
 * at even ones. No answer is older than one that a reader waited for, no document is missing, and no page shows one twice.
 */
export class LiveLoad {
  /** Wrong answers, in a sentence each. */
  readonly findings: string[] = [];
  readonly counts = { appended: 0, read: 0, pages: 0, unavailable: 0 };
  readonly #stop = new AbortController();
  readonly #written: Map<string, number>;
  /** Revisions that were seen, or waited for. */
  readonly #confirmed = new Map<string, number>();
  readonly #done: Promise<unknown>;

  constructor(private readonly parts: LoadParts) {
    this.#written = new Map(parts.ids.map((id) => [id, 0]));
    this.#done = Promise.all([this.#loop(() => this.#write()), this.#read(), this.#walk()]);
    // Its error is thrown by `stop`.
    this.#done.catch(() => undefined);
  }

  /** Ends it. @throws Error of a call that failed otherwise than by `unavailable`. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#done;
  }

  async #loop(act: () => Promise<void>): Promise<void> {
    while (!this.#stop.signal.aborted) await act();
  }

  /** Each change of a subscription is confirmed by waiting, and is not taken back from then on. */
  async #write(): Promise<void> {
    const { store, ids, pauseMs = 2 } = this.parts;
    const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
    const revision = (this.#written.get(id) ?? 0) + 1;
    const event = revision % 2 === 1 ? subscriptionCanceled : subscriptionReactivated;
    const position = await store.append(`subscription-${id}`, [event]);
    this.#written.set(id, revision);
    this.counts.appended += 1;
    if (this.counts.appended % 5 === 0) {
      await this.#ask(async (readModels) => {
        await readModels.waitFor(position, WAIT);
        this.#confirm(id, revision);
      });
    }
    await sleep(pauseMs);
  }

  #read(): Promise<void> {
    return this.#loop(async () => {
      const { ids } = this.parts;
      const id = ids[Math.floor(Math.random() * ids.length)] ?? '';
      const atLeast = this.#confirmed.get(id) ?? 0;
      await this.#ask(async (readModels) => {
        const found = await readModels.ask(subscriptions).byId(id);
        this.counts.read += 1;
        this.#judge('read', id, found, atLeast);
      });
      await sleep(1);
    });
  }

  /** Goes through all pages again and again; pages of one walk come before and after a swap. */
  #walk(): Promise<void> {
    return this.#loop(async () => {
      const seen: string[] = [];
      let after: string | undefined;
      let isWhole = true;
      do {
        const atLeast = new Map(this.#confirmed);
        const isAnswered = await this.#ask(async (readModels) => {
          const options = { limit: PAGE, ...(after !== undefined && { after }) };
          const page = await readModels.ask(subscriptions).list('app_1', options);
          this.counts.pages += 1;
          for (const { revision, state } of page.documents) {
            const id = state.subscriptionId;
            seen.push(id);
            this.#judge('listed', id, { revision, state }, atLeast.get(id) ?? 0);
          }
          after = page.nextAfter;
        });
        isWhole &&= isAnswered;
        await sleep(20);
      } while (after !== undefined && !this.#stop.signal.aborted && isWhole);
      if (!isWhole || after !== undefined) return;
      const all = this.parts.ids.length;
      if (seen.length !== all || new Set(seen).size !== all) {
        this.findings.push(
          `${new Set(seen).size} of ${seen.length} listed, where there are ${all}`,
        );
      }
    });
  }

  #judge(
    how: string,
    id: string,
    found: { readonly revision: number; readonly state: { readonly status: string } } | undefined,
    atLeast: number,
  ): void {
    if (found === undefined) {
      this.findings.push(`${how}: ${id} is missing`);
      return;
    }
    const { revision, state } = found;
    if (revision < atLeast) {
      this.findings.push(`${how}: ${id} at ${revision}, where ${atLeast} was confirmed`);
    }
    const expected = revision % 2 === 1 ? 'canceled' : 'active';
    if (state.status !== expected) {
      this.findings.push(`${how}: ${id} at ${revision} is ${state.status}`);
    }
    this.#confirm(id, revision);
  }

  #confirm(id: string, revision: number): void {
    this.#confirmed.set(id, Math.max(this.#confirmed.get(id) ?? 0, revision));
  }

  /** @returns whether there was an answer. */
  async #ask(question: (readModels: ReadModels) => Promise<void>): Promise<boolean> {
    const { readModels, mayBeUnavailable = () => false } = this.parts;
    const mightBe = mayBeUnavailable();
    try {
      await question(readModels);
      return true;
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'unavailable') throw error;
      this.counts.unavailable += 1;
      if (!mightBe && !mayBeUnavailable()) this.findings.push(`unavailable: ${error.message}`);
      await sleep(10);
      return false;
    }
  }
}
