import {
  type AccountingPeriod,
  type Day,
  earned,
  findEnd,
  lastDay,
  nextPeriod,
} from '#domain/bookkeeping';
import type { PeriodBooks } from './period-books.js';
import { money, type ReportRow, type SummaryReport, text } from './report.js';

/** One amount for each account, currency and month: their sum is the closing balance of the deferred money. */
export const waterfall: SummaryReport = {
  name: 'waterfall',
  description: 'money that is not earned yet, by the months in which it will be',
  columns: [text('account'), text('month'), text('currency'), money('to_earn')],
  compute: async (books) => {
    const sums = await sumMonths(books);
    return [...sums.keys()].sort().flatMap((key) => {
      const [account = '', month = '', currency = ''] = key.split(' ');
      const row: ReportRow = { account, month, currency, to_earn_minor: sums.get(key) ?? 0n };
      return row['to_earn_minor'] === 0n ? [] : [row];
    });
  },
};

async function sumMonths(books: PeriodBooks): Promise<ReadonlyMap<string, bigint>> {
  const { period: first, effectiveUntil } = books.scope;
  const sums = new Map<string, bigint>();
  for await (const schedule of books.schedules()) {
    const { account, currency } = schedule.origin;
    let before: Day = effectiveUntil;
    for (
      let month: AccountingPeriod = first;
      month <= findEnd(schedule);
      month = nextPeriod(month)
    ) {
      const amount = earned(schedule, lastDay(month)) - earned(schedule, before);
      const key = `${account} ${month} ${currency}`;
      sums.set(key, (sums.get(key) ?? 0n) + amount);
      before = lastDay(month);
    }
  }
  return sums;
}
