import process from 'node:process';
import { SubCommand } from 'nest-commander';
import type { Money } from '#domain/money';
import { type ComparedRow, type FinanceApp, reconcilePayout } from '#finance';
import { type GatewayBooks } from '#gateway';
import { listBooks, type Secrets } from '#gateway/apps';
import { createSeal, readConfig, type Seal, variables } from '#platform';
import { sayMoney } from '#representations';
import { createAppSecrets } from '#tenancy';
import { CliError } from '../cli-error.js';
import { keepText, Options } from '../options.js';
import { print, table } from '../output.js';
import { withBar } from '../progress-bar.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';

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
    const seal = () => createSeal(this.masterKeys(options));
    const rows = await this.withApp(options, async (app) => {
      const books = await openBooks(app, seal);
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

async function openBooks(
  { store, commands }: FinanceApp,
  seal: () => Seal,
): Promise<readonly GatewayBooks[]> {
  const { signal } = new AbortController();
  // The master key is needed only where the app has keys of its own.
  const secrets: Secrets = { open: (...sealed) => createAppSecrets(seal()).open(...sealed) };
  const { stripeStandIn } = readConfig(process.env, { stripeStandIn: variables.stripeStandIn });
  return listBooks({ store, commands, secrets, stripeStandIn, signal });
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
