import type { AccountingPeriod, Day } from '#domain/bookkeeping';
import { idOf, type RecordedEvent } from '#domain/event';
import type { FinanceEvent } from '#domain/finance';
import type { SettlementEvent, SettlementRow } from '#domain/settlement';

/** The part of the books up to which payouts are gathered. */
interface PayoutScope {
  readonly period: AccountingPeriod;
  readonly effectiveUntil: Day;
}

/** An imported row with its place in the books. */
interface BookedRow {
  readonly row: SettlementRow;
  readonly period: AccountingPeriod;
  readonly effectiveOn: Day;
}

/** A payout with the rows that it pays. */
export interface PaidRows {
  /** Empty for rows of which no report tells a payout. */
  readonly payout: string;
  readonly rows: readonly SettlementRow[];
  /** Its own row; null where none is imported, so that it is on its way. */
  readonly paid: BookedRow | null;
}

type Taken = RecordedEvent & (SettlementEvent | FinanceEvent);

/**
 * Gathers imported rows by payout, in the order of leaves: those of payouts that were paid in a period, and those that
 * were not paid by its end. Rows of earlier payouts are dropped, so that memory holds about as many as one file.
 */
export class PayoutRows {
  /** Rows of no payout yet, by their streams. */
  readonly #loose = new Map<string, SettlementRow>();
  readonly #rows = new Map<string, SettlementRow[]>();
  readonly #paid = new Map<string, BookedRow>();
  readonly #accepted = new Set<string>();

  constructor(private readonly scope: PayoutScope) {}

  /** The ids of rows that a person has taken as they are. */
  get accepted(): ReadonlySet<string> {
    return this.#accepted;
  }

  /** @param booked the period and the day of the event. */
  take(event: Taken, booked: Pick<BookedRow, 'period' | 'effectiveOn'>): void {
    const { type, data } = event;
    if (type === 'finance.difference_accepted.v1') this.#accepted.add(data.row);
    if (type === 'settlement.payout_noted.v1') this.#note(event.streamName, data.payoutId);
    if (type !== 'settlement.row_imported.v1') return;
    const { period, effectiveUntil } = this.scope;
    if (booked.period > period || booked.effectiveOn > effectiveUntil) return;
    if (data.category === 'payout') this.#pay({ row: data, ...booked });
    else this.#loose.set(idOf(event.streamName), data);
  }

  /** By the ids of the payouts; rows of none come first. */
  list(): readonly PaidRows[] {
    const ids = new Set([...this.#rows.keys(), ...this.#paid.keys()]);
    const noted = [...ids]
      .sort()
      .map((payout) => this.#find(payout))
      .filter(({ paid }) => paid === null || paid.period === this.scope.period);
    const rows = [...this.#loose.values()];
    return [...(rows.length === 0 ? [] : [{ payout: '', rows, paid: null }]), ...noted];
  }

  #find(payout: string): PaidRows {
    const paid = this.#paid.get(payout) ?? null;
    return { payout, rows: this.#rows.get(payout) ?? [], paid };
  }

  #note(streamName: string, payoutId: string): void {
    const id = idOf(streamName);
    const row = this.#loose.get(id);
    if (row === undefined) return;
    this.#loose.delete(id);
    if (this.#wasPaidBefore(payoutId)) return;
    const rows = this.#rows.get(payoutId);
    if (rows === undefined) this.#rows.set(payoutId, [row]);
    else rows.push(row);
  }

  #pay(booked: BookedRow): void {
    const { sourceId } = booked.row;
    this.#paid.set(sourceId, booked);
    if (this.#wasPaidBefore(sourceId)) this.#rows.delete(sourceId);
  }

  #wasPaidBefore(payoutId: string): boolean {
    const paid = this.#paid.get(payoutId);
    return paid !== undefined && paid.period < this.scope.period;
  }
}
