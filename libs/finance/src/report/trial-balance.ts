import { money, type SummaryReport, text } from './report.js';
import { SIGNED, sumRows } from './sums.js';

/** Debits above zero: the sums of `opening` and of `closing` are zero for each currency. */
export const trialBalance: SummaryReport = {
  name: 'trial-balance',
  description: 'the balance of each account, before and behind the debits and credits of a period',
  columns: [
    ...[text('account'), text('currency')],
    ...[money('opening'), money('debit'), money('credit'), money('closing')],
  ],
  compute: (books) => {
    // Millions of entries are summed once, and only their sums are divided: that takes half as long as four sums of all.
    const from =
      `(SELECT account, currency, ${books.booked} AS booked, sum(debit_minor) AS debit_minor, ` +
      `sum(credit_minor) AS credit_minor FROM entries WHERE ${books.counted} GROUP BY ALL)`;
    return sumRows(books, {
      by: ['account', 'currency'],
      amounts: {
        opening: `sum(${SIGNED}) FILTER (WHERE NOT booked)`,
        debit: 'sum(debit_minor) FILTER (WHERE booked)',
        credit: 'sum(credit_minor) FILTER (WHERE booked)',
        closing: `sum(${SIGNED})`,
      },
      from,
      condition: 'true',
      keepsZeros: true,
    });
  },
};
