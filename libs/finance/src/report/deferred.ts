import { IS_DEFERRED, IS_RECOGNIZED } from './period-books.js';
import { money, type SummaryReport, text } from './report.js';
import { OWED, SIGNED, sumRows } from './sums.js';

/** Opening and added amounts, less earned and refunded ones, are closing. */
export const deferred: SummaryReport = {
  name: 'deferred',
  description: 'money that is not earned yet: what was added, earned and taken back in a period',
  columns: [
    ...[text('account'), text('plan'), text('item_class'), text('currency')],
    ...[money('opening'), money('added'), money('earned'), money('refunded'), money('closing')],
  ],
  compute: (books) => {
    const inPeriod = (condition: string) => `FILTER (WHERE ${books.booked} AND ${condition})`;
    const isTaken = "suffix(rule, '/taken')";
    return sumRows(books, {
      by: ['account', 'plan', 'item_class', 'currency'],
      amounts: {
        opening: `sum(${OWED}) FILTER (WHERE NOT (${books.booked}))`,
        added: `sum(${OWED}) ${inPeriod(`NOT ${isTaken} AND NOT ${IS_RECOGNIZED}`)}`,
        earned: `sum(${SIGNED}) ${inPeriod(IS_RECOGNIZED)}`,
        refunded: `sum(${SIGNED}) ${inPeriod(isTaken)}`,
        closing: `sum(${OWED})`,
      },
      condition: `${books.counted} AND ${IS_DEFERRED}`,
    });
  },
};
