import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { parseInstant } from '#domain/calendar';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { type Difference, reconcile, type Reconciliation } from '#gateway';
import { listBooks, type Secrets } from '#gateway/apps';
import { createSeal, readConfig, type Seal, variables, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { withBar } from '../progress-bar.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { DifferenceList } from './difference-list.js';

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
@Options({
  '--since <instant>': [
    'only payments made or changed from then on; all without it',
    (value) => {
      const instant = parseInstant(value);
      if (instant !== undefined) return instant;
      throw new CliError('--since must be an instant such as 2027-01-31T10:00:00Z.', 'usage');
    },
  ],
  '--settled-for <seconds>': [
    `leave out acts of the gateway within this time (${DEFAULT_SETTLED_SECONDS} without it)`,
    wholeNumber,
  ],
})
export class ReconcilePayments extends StoreCommand {
  async run(_: string[], options: ReconcileOptions): Promise<void> {
    const { since = EPOCH, settledFor = DEFAULT_SETTLED_SECONDS } = options;
    const wanted = { since, settlingMs: settledFor * 1000 };
    const seal = () => createSeal(this.masterKeys(options));
    const list = new DifferenceList(options.json === true, (text) => process.stdout.write(text));
    const report = await this.withStore(options, (store) => compare(store, seal, wanted, list));
    list.end(report, describe(report));
    const { unread } = report;
    if (report.found === 0 && unread.length === 0) return;
    if (report.found === 0) {
      const details = unread.map(sayUnread);
      throw new CliError('Not all books could be read.', 'unreachable', details, 'BOOKS_UNREAD');
    }
    const message = `Gateway and ledger differ, or something is open for too long: ${report.found} times.`;
    throw new CliError(message, 'refused', [], 'BOOKS_DIFFER');
  }
}

async function compare(
  store: LedgerStore,
  seal: () => Seal,
  wanted: { readonly since: string; readonly settlingMs: number },
  list: DifferenceList,
): Promise<Reconciliation> {
  await store.namespaces.require();
  const { signal } = new AbortController();
  // The master key is needed only where an app has keys of its own.
  const secrets: Secrets = { open: (...sealed) => createAppSecrets(seal()).open(...sealed) };
  const { stripeStandIn } = readConfig(process.env, { stripeStandIn: variables.stripeStandIn });
  const commands = createCommandExecutor(store);
  const books = await listBooks({ store, commands, secrets, stripeStandIn, signal });
  return withBar('comparing', (bar) => {
    const onProgress = (share: number) => bar.draw(share);
    const onDifference = (difference: Difference) => {
      bar.clear();
      list.add(difference);
    };
    const about = { ...wanted, now: wallClock.now(), signal, onProgress, onDifference };
    return reconcile({ store, books, ...about });
  });
}

function sayUnread({ kind, appId, why }: Reconciliation['unread'][number]): string {
  return `${kind} of ${appId}: ${why}`;
}

function describe({ payments, charges, found, unread }: Reconciliation): string {
  const compared = `${payments} payments of the ledger and ${charges} charges of the gateway`;
  const left = unread.map((books) => `Books that could not be read: ${sayUnread(books)}`);
  const outcome = found === 0 ? 'agree.' : `were compared: ${found} differences.`;
  return [`${compared} ${outcome}`, ...left].join('\n');
}
