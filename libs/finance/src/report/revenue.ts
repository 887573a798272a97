import { money, type SummaryReport, text } from './report.js';
import { OWED, sumRows } from './sums.js';

/** Earned money; below zero, the part of it that refunds and disputes gave back. */
export const revenue: SummaryReport = {
  name: 'revenue',
  description: 'what was earned in a period, and what was given back of it, by plan and country',
  columns: [
    ...[text('account'), text('plan'), text('item_class'), text('country'), text('currency')],
    money('revenue'),
  ],
  compute: (books) =>
    sumRows(books, {
      by: ['account', 'plan', 'item_class', 'country', 'currency'],
      amounts: { revenue: `sum(${OWED})` },
      condition: `${books.booked} AND account LIKE 'income:%'`,
    }),
};
