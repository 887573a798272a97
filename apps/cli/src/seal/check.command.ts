import { SubCommand } from 'nest-commander';
import { checkProof, InvalidSeal, parseLeafLine, parseVerifierKey } from '#seal';
import { CliCommand } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { orUsage, splitKeys } from './seal-command.js';

interface CheckOptions {
  readonly key: string;
  readonly json?: boolean;
}

@SubCommand({
  name: 'check',
  arguments: '<proof>',
  description:
    'check a proof (X.tlog-proof) offline, without a store; ends with 1 where it is wrong',
})
@Options({
  '--key <keys>': [
    'verifier keys of the ledger and of cosigners, NAME+ID+BASE64 with commas between them, or a file with one a line',
    (value) => value,
    { required: true },
  ],
  '--json': 'print JSON',
})
export class CheckProof extends CliCommand {
  async run([file = '']: string[], options: CheckOptions): Promise<void> {
    const keys = orUsage(() => splitKeys(options.key).map(parseVerifierKey));
    const { index, line, checkpoint } = check(readText(file), keys);
    const { origin, size } = checkpoint;
    const signatures = checkpoint.signatures.map(({ key, timeSeconds }) => ({
      key: `${key.name}+${key.id}`,
      at: timeSeconds === null ? null : new Date(timeSeconds * 1_000).toISOString(),
    }));
    const answer = { origin, size, leaf: index, ...parseLeafLine(line), signatures };
    const others = signatures
      .filter(({ at }) => at !== null)
      .map(({ key, at }) => `\nCosigned by ${key} at ${at ?? ''}.`);
    const text = `${origin} attests leaf ${index} of ${size}:\n${line.toString().trimEnd()}`;
    print(options.json, answer, text + others.join(''));
  }
}

function check(text: string, keys: Parameters<typeof checkProof>[1]) {
  try {
    return checkProof(text, keys);
  } catch (error) {
    if (!(error instanceof InvalidSeal)) throw error;
    throw new CliError(error.message, 'refused', [], 'PROOF_WRONG');
  }
}
