import { ACCOUNTS } from '../accounts.js';
import { evolveSchedule, type Schedule } from '../schedule.js';
import type { JournalRow } from '../journal-row.js';

/** Rows of one payment on its deferred account, for specs. */
const DEFERRAL: JournalRow = {
  ...{ app: 'app_1', environment: 'production', eventId: 'e1', number: 2, recognized: '' },
  ...{ leaf: 1n, bookedAt: '2026-01-15T11:00:00.000Z' },
  ...{ effectiveOn: '2026-01-15', period: '2026-01', late: false },
  ...{ account: ACCOUNTS.deferredSubscriptions, side: 'credit', amountMinor: 3_100n },
  ...{ currency: 'EUR', rule: 'rules.v1/captured', eventType: 'payment.captured.v1' },
  ...{ stream: 'payment-pay_1', payment: 'pay_1', subscription: 'sub_1', order: '' },
  ...{ plan: 'plan_1', itemClass: '', country: '', taxRate: '', taxRatesVersion: null },
  ...{ coversFrom: '2026-01-15', coversUntil: '2026-02-15' },
  ...{ gatewayRef: '', actor: '', reason: '' },
};

/** An amount that is deferred; below zero, a credit. */
export function deferral(amountMinor: bigint, more: Partial<JournalRow> = {}): JournalRow {
  const [side, amount] =
    amountMinor < 0n ? (['debit', -amountMinor] as const) : (['credit', amountMinor] as const);
  return { ...DEFERRAL, side, amountMinor: amount, ...more };
}

/** An amount that is taken out again on a day. */
export function taken(amountMinor: bigint, on: string, more: Partial<JournalRow> = {}): JournalRow {
  const day = { effectiveOn: on, period: on.slice(0, 7) };
  return deferral(-amountMinor, { rule: 'rules.v1/refunded/taken', ...day, ...more });
}

/** @throws Error for no row at all. */
export function foldSchedule(...rows: readonly JournalRow[]): Schedule {
  const schedule = rows.reduce<Schedule | undefined>(evolveSchedule, undefined);
  if (schedule === undefined) throw new Error('no row');
  return schedule;
}
