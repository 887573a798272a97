import { SubCommand } from 'nest-commander';
import {
  type FinanceApp,
  readCloses,
  requireClose,
  verifyClose,
  type VerifiedClose,
} from '#finance';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { readBooksIn } from './close-means.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { parsePeriod } from './report-choices.js';

interface VerifyOptions extends FinanceOptions {
  readonly all?: boolean;
}

@SubCommand({
  name: 'verify',
  arguments: '[period]',
  description:
    'compute the reports of a closed month anew, from the log and not from the books, and compare them byte for byte; the last closed month without one',
})
@Options({ '--all': 'verify all closed months' })
export class VerifyCloses extends FinanceCommand {
  async run([given]: string[], options: VerifyOptions): Promise<void> {
    const period = given === undefined ? undefined : parsePeriod(given, 'PERIOD');
    const verified = await this.withApp(options, async (app) => {
      const closes = await chooseCloses(app, period, options);
      return withBar('verifying', async (bar) => {
        const done: VerifiedClose[] = [];
        for (const close of closes) {
          done.push(await verifyClose(app, close, readBooksIn(options)));
          bar.draw(done.length / closes.length);
        }
        return done;
      });
    });
    print(options.json, { closes: verified }, verified.map(describe).join('\n'));
    const differences = verified.flatMap((one) => one.differences);
    if (differences.length === 0) return;
    const message =
      `${differences.length} figures are not those that were closed: events were altered, or this release computes otherwise. ` +
      '"subledger seal verify" tells whether events were altered.';
    throw new CliError(message, 'refused', [], 'CLOSE_DIFFERS');
  }
}

async function chooseCloses(
  app: FinanceApp,
  period: string | undefined,
  { all }: VerifyOptions,
): Promise<Awaited<ReturnType<typeof readCloses>>> {
  if (period !== undefined) return [await requireClose(app, period)];
  const closes = await readCloses(app);
  if (closes.length > 0) return all === true ? closes : closes.slice(-1);
  throw new CliError(`${app.appId} has closed no period.`, 'refused', [], 'PERIOD_OPEN');
}

function describe({ period, size, differences }: VerifiedClose): string {
  const head = `${period} as of leaf ${size}: `;
  if (differences.length === 0) return `${head}as it was closed.`;
  const lines = differences.map(
    ({ part, closed, computed }) =>
      `  ${part}: closed ${closed || 'without it'}, computed ${computed || 'nothing'}`,
  );
  return [`${head}${differences.length} differences`, ...lines].join('\n');
}
