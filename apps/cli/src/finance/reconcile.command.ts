import { SubCommand } from 'nest-commander';
import type { Money } from '#domain/money';
import { type ComparedRow, reconcilePayout } from '#finance';
import { sayMoney } from '#representations';
import { CliError } from '../cli-error.js';
import { keepText, Options } from '../options.js';
import { print, table } from '../output.js';
import { withBar } from '../progress-bar.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { openGatewayBooks } from './gateway-books.js';

interface ReconcileOptions extends FinanceOptions {
  readonly payout: string;
}

@SubCommand({
  name: 'reconcile',
  description: 'compare the rows of a payout with ledger and gateway, and name every open one',
})
@Options({
  '--payout <id>': ["the payout's id at the gateway", keepText, { required: true }],
})
export class ReconcilePayout extends FinanceCommand {
  async run(_: string[], options: ReconcileOptions): Promise<void> {
    const { payout } = options;
    const rows = await this.withApp(options, async (app) => {
      const books = await openGatewayBooks(app, () => this.masterKeys(options));
      return withBar('comparing', (bar) =>
        reconcilePayout(app, books, payout, { onProgress: (share) => bar.draw(share) }),
      );
    });
    const open = rows.filter(({ state }) => state === 'open').length;
    print(options.json, { payout, rows, open }, describe(rows));
    if (open === 0) return;
    const message = `${open} rows of ${payout} are open: correct them, or take them with "finance accept".`;
    throw new CliError(message, 'refused', [], 'PAYOUT_DIFFERS');
  }
}

function describe(rows: readonly ComparedRow[]): string {
  const cells = rows.map(({ row, category, ledger, gateway, payout, state, why }) => [
    ...[row, category, say(ledger), say(gateway), sayMoney(payout)],
    why === '' ? state : `${state}: ${why}`,
  ]);
  return table(['ROW', 'CATEGORY', 'LEDGER', 'GATEWAY', 'PAYOUT', 'STATE'], cells);
}

function say(amount: Money | null): string {
  return amount === null ? '-' : sayMoney(amount);
}
