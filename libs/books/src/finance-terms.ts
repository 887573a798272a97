import type { RecordedEvent } from '#domain/event';
import { idOf } from '#domain/event';
import { financeAggregate, type FinanceEvent, findPolicy } from '#domain/finance';

const { category, decider } = financeAggregate;
const CATEGORY_MARK = `${category}-`;

/** The acts of finance on all apps, as far as the leaf that is posted: they decide how events are posted. */
export class FinanceTerms {
  readonly #apps = new Map<string, typeof decider.initialState>();

  /** Whether a stream has acts of finance. */
  isOf(streamName: string): boolean {
    return streamName.startsWith(CATEGORY_MARK);
  }

  /** Takes an act in. */
  add({ streamName, type, data }: RecordedEvent): void {
    const app = idOf(streamName);
    const state = this.#apps.get(app) ?? decider.initialState;
    // Events of these streams are such acts; one of a newer release is refused when it is decoded.
    this.#apps.set(app, decider.evolve(state, { type, data } as FinanceEvent));
  }

  /** The policy on the day of an app's event, by UTC, and the last month that was closed; empty where none was. */
  find({ appId, occurredAt }: RecordedEvent['metadata']) {
    const state = this.#apps.get(appId) ?? decider.initialState;
    const policy = findPolicy(state, occurredAt.slice(0, '2026-01-31'.length));
    return { policy, closedThrough: state.closed.at(-1)?.period ?? '' };
  }
}
