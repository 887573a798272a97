import { SubCommand } from 'nest-commander';
import { type VerifiedClose, verifyCloses, type WantedCloses } from '#finance';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { openSources } from './close-means.js';
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
    const last = options.all === true ? 'all' : 'last';
    const wanted: WantedCloses =
      given === undefined ? last : { period: parsePeriod(given, 'PERIOD') };
    const verified = await this.withApp(options, (app) => {
      const { withBooks } = openSources(app, options);
      return withBar('verifying', (bar) =>
        verifyCloses(app, wanted, withBooks, (share) => bar.draw(share)),
      );
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

function describe({ period, size, differences }: VerifiedClose): string {
  const head = `${period} as of leaf ${size}: `;
  if (differences.length === 0) return `${head}as it was closed.`;
  const lines = differences.map(
    ({ part, closed, computed }) =>
      `  ${part}: closed ${closed || 'without it'}, computed ${computed || 'nothing'}`,
  );
  return [`${head}${differences.length} differences`, ...lines].join('\n');
}
