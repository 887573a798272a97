import { type AccountingPeriod, type JournalRow, laterDay } from '#domain/bookkeeping';
import type { RecordedEvent } from '#domain/event';
import { idOf } from '#domain/event';
import { financeAggregate, type FinanceEvent, findPolicy } from '#domain/finance';
import type { BookedClose, ForeseenClose } from './foreseen-close.js';

const { category, decider } = financeAggregate;
const CATEGORY_MARK = `${category}-`;

/** Terms that no event before a leaf says. */
export interface GivenTerms {
  readonly foreseen?: readonly ForeseenClose[];
  /** As if the app had closed neither this period nor a later one. */
  readonly openFrom?: { readonly app: string; readonly period: AccountingPeriod };
}

/** The acts of finance on all apps, as far as the leaf that is posted: they decide how events are posted. */
export class FinanceTerms {
  readonly #apps = new Map<string, typeof decider.initialState>();
  /** The last leaf that has entries in each open period, by the app. */
  readonly #lastLeaves = new Map<string, Map<AccountingPeriod, number>>();
  /** By the app. */
  readonly #foreseen = new Map<string, ForeseenClose[]>();
  readonly #openFrom: GivenTerms['openFrom'];
  readonly #missed: ForeseenClose[] = [];
  readonly #closes: BookedClose[] = [];

  constructor({ foreseen = [], openFrom }: GivenTerms = {}) {
    this.#openFrom = openFrom;
    for (const close of foreseen) {
      this.#foreseen.set(close.app, [...(this.#foreseen.get(close.app) ?? []), close]);
    }
  }

  /** Closes for which entries were booked that are late for them: all has to be posted again with these foreseen. */
  get missed(): readonly ForeseenClose[] {
    return this.#missed;
  }

  /** All closes so far, in the order of their events. */
  get closes(): readonly BookedClose[] {
    return this.#closes;
  }

  /** The months in which some app has entries, and which it has not closed. */
  get openPeriods(): ReadonlySet<AccountingPeriod> {
    return new Set([...this.#lastLeaves.values()].flatMap((leaves) => [...leaves.keys()]));
  }

  /** Whether a stream has acts of finance. */
  isOf(streamName: string): boolean {
    return streamName.startsWith(CATEGORY_MARK);
  }

  /** Takes an act in. */
  add({ streamName, type, data }: RecordedEvent, leaf: number): void {
    const app = idOf(streamName);
    const state = this.#apps.get(app) ?? decider.initialState;
    // Events of these streams are such acts; one of a newer release is refused when it is decoded.
    const event = { type, data } as FinanceEvent;
    this.#apps.set(app, decider.evolve(state, event));
    if (event.type !== 'finance.period_closed.v1') return;
    const { period, size } = event.data;
    if (!this.#isOpened(app, period)) this.#close({ app, period, size, leaf });
  }

  /** The policy on the day of an app's event, by UTC, and the last month that is closed for it; empty where none is. */
  find({ appId, occurredAt }: RecordedEvent['metadata'], leaf: number) {
    const state = this.#apps.get(appId) ?? decider.initialState;
    const policy = findPolicy(state, occurredAt.slice(0, '2026-01-31'.length));
    const isCounted = ({ period }: { readonly period: AccountingPeriod }) =>
      !this.#isOpened(appId, period);
    const closed = state.closed.findLast(isCounted)?.period ?? '';
    const foreseen = this.#foreseen.get(appId)?.filter((close) => close.size <= leaf) ?? [];
    const periods = foreseen.filter(isCounted).map(({ period }) => period);
    return { policy, closedThrough: [closed, ...periods].reduce(laterDay) };
  }

  /** Notes the periods of entries. */
  note(rows: readonly JournalRow[], leaf: number): void {
    for (const { app, period } of rows) {
      const leaves = this.#lastLeaves.get(app) ?? new Map<AccountingPeriod, number>();
      this.#lastLeaves.set(app, leaves.set(period, leaf));
    }
  }

  #close(close: BookedClose): void {
    this.#closes.push(close);
    const leaves = this.#lastLeaves.get(close.app) ?? new Map<AccountingPeriod, number>();
    const ended = [...leaves].filter(([period]) => period <= close.period);
    if (ended.some(([, last]) => last >= close.size)) this.#missed.push(close);
    for (const [period] of ended) leaves.delete(period);
  }

  #isOpened(app: string, period: AccountingPeriod): boolean {
    const from = this.#openFrom;
    return from !== undefined && from.app === app && period >= from.period;
  }
}
