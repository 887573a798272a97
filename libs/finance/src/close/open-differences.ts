import { type AccountingPeriod, firstDay } from '#domain/bookkeeping';
import { addMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { financeAggregate, findPolicy } from '#domain/finance';
import { type GatewayBooks, reconcile } from '#gateway';
import type { FinanceApp } from '../finance-app.js';
import { listPayouts } from '../settlement/list-payouts.js';
import { reconcilePayouts } from '../settlement/reconcile-payout.js';
import type { OpenDifference } from './gates.js';

/** A month begins within a day of that of UTC, whatever the zone. */
const DAY_MS = 86_400_000;
/** An act of the gateway within this time may be on its way to the ledger. */
const SETTLING_MS = 60_000;

/** The books of an app's gateways, and the moment by the wall clock. */
export interface GatewayView {
  readonly books: readonly GatewayBooks[];
  readonly now: Instant;
  /** Ends the comparison, by an error. */
  readonly signal: AbortSignal;
}

/**
 * The differences that no person took: of payments that were made or changed since a period began, and of payouts that
 * have a row of the period.
 *
 * @throws Fault of the store; FinanceRefusal for an app without the keys of its gateway.
 */
export async function findOpenDifferences(
  app: FinanceApp,
  { books, now, signal }: GatewayView,
  period: AccountingPeriod,
): Promise<readonly OpenDifference[]> {
  const { state } = await app.commands.load(financeAggregate, app.appId);
  const own = books.filter((each) => each.appId === undefined || each.appId === app.appId);
  const { zone } = findPolicy(state, firstDay(period));
  const payouts = await listPayouts(app, { period, zone });
  const rows = payouts.size === 0 ? [] : await reconcilePayouts(app, own, payouts, signal);
  const open = rows.filter((row) => row.state === 'open').map(({ row, why }) => ({ row, why }));
  const ofPayments = await findOfPayments(app, { books: own, now, signal }, period);
  return [...ofPayments, ...open].filter(({ row }) => !Object.hasOwn(state.accepted, row));
}

async function findOfPayments(
  { appId, store }: FinanceApp,
  { books, now, signal }: GatewayView,
  period: AccountingPeriod,
): Promise<readonly OpenDifference[]> {
  const found: OpenDifference[] = [];
  const { unread } = await reconcile({
    ...{ store, books, appId, now, settlingMs: SETTLING_MS },
    since: addMilliseconds(`${firstDay(period)}T00:00:00.000Z`, -DAY_MS),
    signal,
    onDifference: ({ kind, paymentId: row, gateway, ledger }) =>
      void found.push({ row, why: `${kind}, gateway: ${gateway}, ledger: ${ledger}` }),
  });
  for (const { kind, why } of unread) found.push({ row: `the books of ${kind}`, why });
  return found;
}
