import { money, type SummaryReport, text } from './report.js';
import { OWED, sumRows } from './sums.js';

/** Charged tax, less the tax of refunds and disputes, is owed for the period. */
export const tax: SummaryReport = {
  name: 'tax',
  description: "tax that is owed for a period, by country, rate and the rates' version",
  columns: [
    ...[text('country'), text('account'), text('tax_rate')],
    { name: 'tax_rates_version', kind: 'integer' },
    ...[text('month'), text('currency')],
    ...[money('charged'), money('returned'), money('owed')],
  ],
  compute: async (books) => {
    const rows = await sumRows(books, {
      by: ['country', 'account', 'tax_rate', 'tax_rates_version', 'currency'],
      amounts: {
        charged: 'sum(credit_minor)',
        returned: 'sum(debit_minor)',
        owed: `sum(${OWED})`,
      },
      condition: `${books.booked} AND account LIKE 'liabilities:tax-payable:%'`,
    });
    return rows.map((row) => ({ ...row, month: books.scope.period }));
  },
};
