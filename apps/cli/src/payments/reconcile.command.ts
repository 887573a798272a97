import process from 'node:process';
import { Option, SubCommand } from 'nest-commander';
import { parseInstant } from '#domain/calendar';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { createSandboxBooks, reconcile, type Reconciliation } from '#gateway';
import { wallClock } from '#platform';
import { countOption } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { print, table } from '../output.js';
import { ShareBar } from '../share-bar.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

const EPOCH = '1970-01-01T00:00:00.000Z';
/** A charge or refund ends in the ledger within moments, but for a worker that was just killed. */
const DEFAULT_SETTLED_SECONDS = 60;

interface ReconcileOptions extends StoreCommandOptions {
  readonly since?: string;
  readonly settledFor?: number;
}

@SubCommand({
  name: 'reconcile',
  description:
    'compare the books of the gateway and the ledger, both ways, and list every difference; changes nothing',
})
export class ReconcilePayments extends StoreCommand {
  async run(_: string[], options: ReconcileOptions): Promise<void> {
    const { since = EPOCH, settledFor = DEFAULT_SETTLED_SECONDS } = options;
    const wanted = { since, settlingMs: settledFor * 1000 };
    const report = await this.withStore(options, (store) => compare(store, wanted));
    print(options.json, report, describe(report));
    if (report.found === 0) return;
    const message = `Gateway and ledger differ, or something is open for too long: ${report.found} times.`;
    throw new CliError(message, 'refused', [], 'BOOKS_DIFFER');
  }

  @Option({
    flags: '--since <instant>',
    description: 'only what was made or changed from then on; all there is without it',
  })
  parseSince(value: string): string {
    const instant = parseInstant(value);
    if (instant !== undefined) return instant;
    throw new CliError('--since must be an instant such as 2027-01-31T10:00:00Z.', 'usage');
  }

  @Option({
    flags: '--settled-for <seconds>',
    description: `leave out what the gateway did within this time (${DEFAULT_SETTLED_SECONDS} without it)`,
  })
  parseSettledFor(value: string): number {
    return countOption('settled-for', value);
  }
}

async function compare(
  store: LedgerStore,
  wanted: { readonly since: string; readonly settlingMs: number },
): Promise<Reconciliation> {
  await store.namespaces.require();
  const bar = new ShareBar('comparing', process.stderr);
  const books = createSandboxBooks({ store, commands: createCommandExecutor(store) });
  const { signal } = new AbortController();
  const onProgress = (share: number) => bar.draw(share);
  const about = { ...wanted, now: wallClock.now(), signal, onProgress };
  return reconcile({ store, books, ...about }).finally(() => bar.clear());
}

function describe({ payments, charges, found, differences }: Reconciliation): string {
  const compared = `${payments} payments of the ledger and ${charges} charges of the gateway`;
  if (found === 0) return `${compared} agree.`;
  const rows = differences.map(({ kind, paymentId, gateway, ledger }) => [
    ...[paymentId, kind, gateway, ledger],
  ]);
  const listed = table(['PAYMENT', 'DIFFERENCE', 'GATEWAY', 'LEDGER'], rows);
  const more = found - differences.length;
  return [`${compared} were compared:`, listed, ...(more > 0 ? [`and ${more} more`] : [])].join(
    '\n',
  );
}
