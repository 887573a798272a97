import type { Instant } from '../event/index.js';
import { findRevenue } from './accounts.js';
import { addDays, firstDay, lastDay } from './days.js';
import type { AccountingPeriod, Day, JournalRow } from './journal-row.js';
import { earned, type Schedule } from './schedule.js';

/** The period for which money is recognized. */
export interface Recognition {
  readonly period: AccountingPeriod;
  /** The last day that counts, of an open period; the period's last day where it is left out. */
  readonly until?: Day;
  /** The moment of the checkpoint by which it is computed. */
  readonly bookedAt: Instant;
}

/**
 * The rows by which the money that was earned in a period moves from its deferred account to revenue: two for each
 * schedule of which something was earned (rules/finance 3). They are named by the row that began the schedule.
 *
 * @param schedules of all rows that were booked in the period or before: later ones change nothing of it.
 */
export function recognize(
  schedules: Iterable<Schedule>,
  { period, until = lastDay(period), bookedAt }: Recognition,
): JournalRow[] {
  const before = addDays(firstDay(period), -1);
  return [...schedules].flatMap((schedule) => {
    const amountMinor = earned(schedule, until) - earned(schedule, before);
    return amountMinor === 0n ? [] : recognized(schedule, amountMinor, { period, until, bookedAt });
  });
}

/** Money of a credit, which is below zero, moves the other way. */
function recognized(
  { origin }: Schedule,
  amountMinor: bigint,
  { period, until: effectiveOn, bookedAt }: Required<Recognition>,
): JournalRow[] {
  const [from, to] =
    amountMinor > 0n ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const);
  const [version = ''] = origin.rule.split('/');
  const row = {
    ...origin,
    ...{ recognized: period, period, late: false, effectiveOn, bookedAt },
    ...{
      amountMinor: amountMinor > 0n ? amountMinor : -amountMinor,
      rule: `${version}/recognized`,
    },
  };
  const { number, account } = origin;
  return [
    { ...row, side: from },
    { ...row, number: number + 1, account: findRevenue(account), side: to },
  ];
}
