import { parseStripeRow } from '#domain/settlement';
import type { ReadPayout } from '#gateway';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import { type ImportReport, importRows } from './import-rows.js';

/** A payout at the gateway. */
interface PayoutSource {
  readonly payoutId: string;
  /** Undefined where the app has no keys of the gateway. */
  readonly read: ReadPayout | undefined;
  readonly signal: AbortSignal;
}

/**
 * Imports the rows of a payout as the gateway's API has them: the same events as by a report.
 *
 * @throws FinanceRefusal for a payout that is not there, and for rows that cannot be imported; Fault.
 */
export async function importPayout(
  app: FinanceApp,
  { payoutId, read, signal }: PayoutSource,
): Promise<ImportReport> {
  const { appId } = app;
  if (read === undefined) {
    const message = `${appId} has no keys of Stripe: set them, or import a report as a file.`;
    throw new FinanceRefusal('GATEWAY_KEYS_MISSING', message);
  }
  const found = await read(payoutId, signal);
  if (found === undefined) {
    const message = `There is no payout ${payoutId} in the account of ${appId} at Stripe.`;
    throw new FinanceRefusal('PAYOUT_NOT_FOUND', message);
  }
  const rows = found.map((cells, index) => {
    const number = index + 1;
    return { number, ...parseStripeRow(cells, number, 'UTC') };
  });
  return importRows(app, { name: payoutId, read: () => rows });
}
