import { createReadStream } from 'node:fs';
import { SubCommand } from 'nest-commander';
import { appAggregate } from '#domain/app';
import { A_ZONE, isZone } from '#domain/finance';
import {
  type FinanceApp,
  importPayout,
  type ImportReport,
  importRows,
  readStripeReport,
} from '#finance';
import { openPayouts } from '#gateway/apps';
import { CommandGroup } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { fileSize } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { readGatewayAccess } from './gateway-books.js';

interface ImportOptions extends FinanceOptions {
  readonly zone?: string;
  readonly payout?: string;
}

@SubCommand({
  name: 'stripe',
  arguments: '[file]',
  description:
    "import an itemized report of Stripe's, of balance changes or of payouts, or a payout by Stripe's API; again, it changes nothing",
})
@Options({
  '--payout <id>': "in the place of a file: the payout's id at Stripe, whose rows are read there",
  '--zone <zone>': [
    'the zone of times in the report that are not of UTC (UTC without it)',
    (value) => {
      if (isZone(value)) return value;
      throw new CliError(`--zone must be ${A_ZONE}.`, 'usage');
    },
  ],
})
class ImportStripe extends FinanceCommand {
  async run([file]: string[], options: ImportOptions): Promise<void> {
    const { payout } = options;
    if ((file === undefined) === (payout === undefined)) {
      throw new CliError('Name either a file, or a payout with --payout.', 'usage');
    }
    const report = await this.withApp(options, (app) =>
      payout === undefined
        ? importFile(app, file ?? '', options)
        : this.#importPayout(app, payout, options),
    );
    print(options.json, report, describe(report));
    if (report.differing.length === 0) return;
    const message = `${report.differing.length} rows were imported before with other figures; the first ones stay.`;
    throw new CliError(message, 'refused', report.differing, 'ROWS_DIFFER');
  }

  async #importPayout(app: FinanceApp, payoutId: string, options: ImportOptions) {
    const { state } = await app.commands.load(appAggregate, app.appId);
    if (state.status !== 'created') throw new CliError(`There is no app ${app.appId}.`);
    const { secrets, stripeStandIn } = readGatewayAccess(() => this.masterKeys(options));
    const read = openPayouts(state, secrets, stripeStandIn);
    const { signal } = new AbortController();
    return importPayout(app, { payoutId, read, signal });
  }
}

function importFile(app: FinanceApp, file: string, { zone = 'UTC' }: ImportOptions) {
  const size = fileSize(file);
  return withBar('checking', (bar) => {
    let label = 'checking';
    const open = () => readPieces(file, (bytes) => bar.draw(bytes / size, label));
    const read = () => readStripeReport({ name: file, zone, open });
    return importRows(app, { name: file, read }, () => (label = 'importing'));
  });
}

/** A file as text. @param onRead takes the number of bytes that were read so far. */
async function* readPieces(file: string, onRead: (bytes: number) => void): AsyncGenerator<string> {
  let read = 0;
  for await (const piece of createReadStream(file, 'utf8')) {
    // A stream with an encoding gives texts.
    const text = piece as string;
    onRead((read += Buffer.byteLength(text)));
    yield text;
  }
}

function describe({ rows, imported, noted, known, ofOtherApps }: ImportReport): string {
  const others = ofOtherApps === 0 ? '' : `, ${ofOtherApps} of other apps were left out`;
  return `${rows} rows: ${imported} imported, ${noted} got their payout, ${known} known already${others}.`;
}

@SubCommand({
  name: 'import',
  description: "a gateway's own account of fees and payouts",
  subCommands: [ImportStripe],
})
export class ImportCommands extends CommandGroup {}

export const IMPORT_COMMANDS = [ImportStripe];
