import { statSync } from 'node:fs';
import path from 'node:path';
import { SubCommand } from 'nest-commander';
import { openHeld, type SealVerification, verifySeals } from '#seal-audit';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { KEY_OPTION, type KeyOptions, orUsage, SealCommand } from './seal-command.js';

interface VerifyOptions extends KeyOptions {
  readonly against?: string;
}

@SubCommand({
  name: 'verify',
  description:
    'compare all events with all seals: each event has its leaf and each leaf its event, in order, and signatures and roots are right; ends with 1 and names the differences, if there are any. The ledger may be in use',
})
@Options({
  ...KEY_OPTION,
  '--against <file>':
    'a checkpoint that another party holds, or a directory of subledger seal export: whether this ledger goes on from it, or is a fork',
})
export class VerifySeals extends SealCommand {
  async run(_: string[], options: VerifyOptions): Promise<void> {
    const keys = this.findKnownKeys(options);
    const { against } = options;
    const held =
      against === undefined ? undefined : orUsage(() => openHeld(readNote(against), keys));
    const report = await this.withStore(options, async (store) => {
      await this.requireLast(store);
      return withBar('verifying', (bar) =>
        verifySeals({ store, keys, held, onProgress: (events, size) => bar.draw(events / size) }),
      );
    });
    if (report === undefined) throw new CliError('This ledger has no checkpoint yet.');
    print(options.json, report, describe(report));
    if (report.total === 0) return;
    const message = `The ledger is not as it was sealed: ${report.total} differences.`;
    throw new CliError(message, 'refused', [], 'LEDGER_DIFFERS');
  }
}

function readNote(file: string): string {
  const isDirectory = statSync(file, { throwIfNoEntry: false })?.isDirectory() === true;
  return readText(isDirectory ? path.join(file, 'checkpoint') : file);
}

function describe({
  size,
  origin,
  unattested,
  erased,
  findings,
  total,
  ...report
}: SealVerification) {
  const head = `${size} leaves of ${origin} and ${report.events} events were compared.`;
  const holes = erased.map(({ stream, leaves }) => `Erased: ${leaves} events of ${stream}.`);
  const news =
    unattested === 0 ? [] : [`Not attested: ${unattested} events behind the last checkpoint.`];
  const unnamed = total - findings.length;
  const more = unnamed > 0 ? [`Further differences: ${unnamed}.`] : [];
  const end = total === 0 ? ['All is as it was sealed.'] : [];
  return [head, ...holes, ...news, ...findings.map(({ text }) => text), ...more, ...end].join('\n');
}
