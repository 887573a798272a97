import { deriveSettlementId } from '#domain/ids';
import { type SettlementRow, settlementAggregate } from '#domain/settlement';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';

/** An imported row, by its id at the gateway. @throws FinanceRefusal where there is none; Fault of the store. */
export async function requireRow(
  { appId, commands }: Pick<FinanceApp, 'appId' | 'commands'>,
  row: string,
): Promise<SettlementRow> {
  const { state } = await commands.load(settlementAggregate, deriveSettlementId(appId, row));
  if (state.row !== null) return state.row;
  const message = `There is no imported row ${row}: name one by its id at the gateway.`;
  throw new FinanceRefusal('ROW_NOT_FOUND', message);
}
