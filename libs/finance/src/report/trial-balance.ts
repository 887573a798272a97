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
    const inPeriod = `FILTER (WHERE ${books.booked})`;
    return sumRows(books, {
      by: ['account', 'currency'],
      amounts: {
        opening: `sum(${SIGNED}) FILTER (WHERE NOT (${books.booked}))`,
        debit: `sum(debit_minor) ${inPeriod}`,
        credit: `sum(credit_minor) ${inPeriod}`,
        closing: `sum(${SIGNED})`,
      },
      condition: books.counted,
      keepsZeros: true,
    });
  },
};
