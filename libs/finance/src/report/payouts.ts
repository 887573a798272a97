import { bookOn, dayAt } from '#domain/bookkeeping';
import type { FinanceEvent } from '#domain/finance';
import type { SettlementEvent, SettlementRow } from '#domain/settlement';
import { ClearedAmounts } from '../payouts/compare-rows.js';
import { type PaidRows, PayoutRows } from '../payouts/payout-rows.js';
import type { PeriodBooks } from './period-books.js';
import type { EventInOrder } from './read-books.js';
import {
  minor,
  money,
  type ReportColumn,
  type ReportRow,
  type SummaryReport,
  text,
} from './report.js';

const CATEGORIES: ReadonlySet<string> = new Set(['finance', 'settlement']);
const count = (name: string): ReportColumn => ({ name, kind: 'integer' });

/** Payouts that were paid in a period, and imported rows that no payout had paid by its end (rules/finance 42). */
export const payouts: SummaryReport = {
  name: 'payouts',
  description: "imported rows of the gateway's account by payout: gross, fees, net, bank",
  columns: [
    ...[text('payout'), text('paid_on'), text('currency'), count('rows')],
    ...[money('gross'), money('fees'), money('net'), money('bank')],
    ...[count('open'), count('accepted'), text('state')],
  ],
  compute: async (books) => {
    const gathered = await gatherRows(books);
    const found = gathered.list();
    const cleared = await readCleared(books, found);
    return found.flatMap((paid) =>
      listCurrencies(paid).map((currency) => {
        return describe(paid, currency, { cleared, accepted: gathered.accepted });
      }),
    );
  },
};

async function gatherRows({ books, scope }: PeriodBooks): Promise<PayoutRows> {
  const rows = new PayoutRows(scope);
  for await (const { event, policy, closedThrough } of books.events(CATEGORIES)) {
    if (!isTaken(event)) continue;
    const happenedAt = 'createdAt' in event.data ? event.data.createdAt : event.metadata.occurredAt;
    const effectiveOn = dayAt(happenedAt, policy.zone);
    rows.take(event, { effectiveOn, period: bookOn(effectiveOn, closedThrough).period });
  }
  return rows;
}

/** A command that changed nothing may have left an event in these streams, too. */
function isTaken(
  event: EventInOrder['event'],
): event is EventInOrder['event'] & (FinanceEvent | SettlementEvent) {
  return event.type.startsWith('settlement.') || event.type.startsWith('finance.');
}

async function readCleared(
  { books }: PeriodBooks,
  found: readonly PaidRows[],
): Promise<ClearedAmounts> {
  const wanted = new Set(found.flatMap(({ rows }) => rows.map(({ paymentId }) => paymentId)));
  const cleared = new ClearedAmounts();
  const condition = "account = 'assets:gateway-clearing' AND event_type LIKE 'payment.%'";
  for await (const row of books.rows(condition)) if (wanted.has(row.payment)) cleared.add(row);
  return cleared;
}

function listCurrencies({ rows, paid }: PaidRows): readonly string[] {
  const all = new Set(rows.map(({ currency }) => currency));
  if (paid !== null) all.add(paid.row.currency);
  return [...all].sort();
}

interface Judging {
  readonly cleared: ClearedAmounts;
  readonly accepted: ReadonlySet<string>;
}

function describe(
  { payout, rows, paid }: PaidRows,
  currency: string,
  { cleared, accepted }: Judging,
): ReportRow {
  const own = rows.filter((row) => row.currency === currency);
  const differing = own.filter((row) => cleared.isOpen(row));
  const taken = differing.filter(({ transactionId }) => accepted.has(transactionId));
  const sum = (amount: (row: SettlementRow) => string) =>
    own.reduce((total, row) => total + BigInt(amount(row)), 0n);
  const net = sum(({ netMinor }) => netMinor);
  const bank = paid?.row.currency === currency ? -BigInt(paid.row.grossMinor) : 0n;
  const open = differing.length - taken.length;
  const isSum = bank === net || (paid !== null && accepted.has(paid.row.transactionId));
  const judged = open === 0 && isSum ? 'agrees' : 'open';
  return {
    ...{ payout, paid_on: paid?.effectiveOn ?? '', currency, rows: own.length },
    ...{ [minor('gross')]: sum(({ grossMinor }) => grossMinor), [minor('net')]: net },
    ...{ [minor('fees')]: sum(({ feeMinor }) => feeMinor), [minor('bank')]: bank },
    ...{ open, accepted: taken.length, state: paid === null ? 'unpaid' : judged },
  };
}
