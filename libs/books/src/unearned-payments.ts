import { findEnd, isOfSchedule, type JournalRow, recognize } from '#domain/bookkeeping';
import type { Instant } from '#domain/event';
import type { BookedClose } from './foreseen-close.js';
import type { PaymentStore } from './payment-store.js';

/** The payments whose money may be earned later, by their apps: a close asks for no others. */
export class UnearnedPayments {
  readonly #ofApps = new Map<string, Set<string>>();

  constructor(private readonly payments: Pick<PaymentStore, 'find'>) {}

  /** Notes the payments that entries defer money of. */
  note(rows: readonly JournalRow[]): void {
    for (const row of rows) {
      if (!isOfSchedule(row)) continue;
      const unearned = this.#ofApps.get(row.app);
      if (unearned === undefined) this.#ofApps.set(row.app, new Set([row.payment]));
      else unearned.add(row.payment);
    }
  }

  /** The recognitions of a month that is closed now, those of one payment at a time. */
  *recognize({ app, period }: BookedClose, bookedAt: Instant): Generator<readonly JournalRow[]> {
    const unearned = this.#ofApps.get(app) ?? new Set<string>();
    for (const paymentId of unearned) {
      const schedules = [...(this.payments.find(paymentId)?.schedules.values() ?? [])];
      const rows = recognize(schedules, { period, bookedAt });
      if (rows.length > 0) yield rows;
      if (schedules.every((schedule) => findEnd(schedule) <= period)) unearned.delete(paymentId);
    }
  }
}
