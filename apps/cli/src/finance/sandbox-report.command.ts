import { SubCommand } from 'nest-commander';
import { printStripeAmount } from '#domain/settlement';
import { listSandboxTransactions, type SandboxTransaction } from '#gateway';
import { csvField, wallClock } from '#platform';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';

@SubCommand({
  name: 'sandbox-report',
  description:
    'print the sandbox gateway\'s account of the app in the columns of Stripe\'s reports, for "finance import stripe"',
})
export class SandboxReport extends FinanceCommand {
  async run(_: string[], options: FinanceOptions): Promise<void> {
    await this.withApp(options, async ({ appId, store, commands }) => {
      const today = wallClock.now().slice(0, 10);
      const rows = await withBar('reading', (bar) => {
        const onProgress = (share: number) => bar.draw(share);
        return listSandboxTransactions({ store, commands, appId, today, onProgress });
      });
      const records = rows.map((row) => toRecord(row, appId));
      print(options.json, { rows: records }, printCsv(records));
    });
  }
}

const COLUMNS = [
  ...['balance_transaction_id', 'created_utc', 'currency', 'gross', 'fee', 'net'],
  ...['reporting_category', 'source_id', 'charge_id', 'automatic_payout_id'],
  ...['automatic_payout_effective_at_utc', 'payment_metadata[subledger_key]'],
  ...['payment_metadata[subledger_app]', 'refund_metadata[subledger_key]'],
] as const;

type Row = Readonly<Record<(typeof COLUMNS)[number], string>>;

function toRecord(row: SandboxTransaction, appId: string): Row {
  const { gross, fee, at, payoutId, chargeKey } = row;
  const { currency } = gross;
  const [whole, kept] = [BigInt(gross.amountMinor), BigInt(fee.amountMinor)];
  return {
    balance_transaction_id: row.transactionId,
    created_utc: at.slice(0, 19).replace('T', ' '),
    currency: currency.toLowerCase(),
    gross: printStripeAmount(whole, currency),
    fee: printStripeAmount(kept, currency),
    net: printStripeAmount(whole - kept, currency),
    reporting_category: row.kind,
    source_id: row.sourceId,
    charge_id: chargeKey,
    automatic_payout_id: payoutId,
    automatic_payout_effective_at_utc: payoutId === '' ? '' : at.slice(0, 10),
    'payment_metadata[subledger_key]': chargeKey,
    'payment_metadata[subledger_app]': appId,
    'refund_metadata[subledger_key]': row.refundKey,
  };
}

function printCsv(rows: readonly Row[]): string {
  const lines = rows.map((row) => COLUMNS.map((name) => csvField(row[name])).join(','));
  return [COLUMNS.join(','), ...lines].join('\n');
}
