import { deriveSettlementId } from '#domain/ids';
import { paymentAggregate } from '#domain/payment';
import { settlementAggregate } from '#domain/settlement';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';

/**
 * Looks for a difference that a person takes: an imported row, by its id at the gateway, or a payment.
 *
 * @throws FinanceRefusal where there is none; Fault of the store.
 */
export async function requireRow(
  { appId, commands }: Pick<FinanceApp, 'appId' | 'commands'>,
  row: string,
): Promise<void> {
  const { state } = await commands.load(settlementAggregate, deriveSettlementId(appId, row));
  if (state.row !== null) return;
  const { state: payment } = await commands.load(paymentAggregate, row);
  if (payment.status !== 'none' && payment.appId === appId) return;
  const message = `There is no imported row ${row}, and no payment: name a row by its id at the gateway.`;
  throw new FinanceRefusal('ROW_NOT_FOUND', message);
}
