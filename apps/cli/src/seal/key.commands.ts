import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { readConfig, variables } from '#platform';
import { formatVerifierKey, InvalidSeal, readSigningKey } from '#seal';
import { chooseOrigin, SealReader } from '#sealing';
import { CliCommand, CommandGroup } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

/** The key is for the account that runs the bookkeeper alone. */
const OWNER_ONLY = 0o600;

@SubCommand({
  name: 'new',
  arguments: '<file>',
  description: 'make a key that signs checkpoints, in a new file (SEAL_KEY_FILE)',
})
@Options({ '--json': 'print JSON' })
class NewSealKey extends CliCommand {
  async run([file = '']: string[], options: { readonly json?: boolean }): Promise<void> {
    const { privateKey } = generateKeyPairSync('ed25519');
    const pem = privateKey.export({ format: 'pem', type: 'pkcs8' });
    try {
      await writeFile(file, pem, { flag: 'wx', mode: OWNER_ONLY });
    } catch (error) {
      throw new CliError(`The key was not written: ${describe(error)}.`);
    }
    print(options.json, { file }, `${file} has the key. Keep a copy outside of this machine.`);
  }
}

interface ShowOptions extends StoreCommandOptions {
  readonly origin?: string;
}

@SubCommand({
  name: 'show',
  arguments: '<file>',
  description: 'print the verifier key of a key, by which others check the checkpoints of a ledger',
})
@Options({
  '--origin <name>':
    "the name of the ledger's log, its checkpoints' first line; asked of the store unless given",
})
class ShowSealKey extends StoreCommand {
  async run([file = '']: string[], options: ShowOptions): Promise<void> {
    const pem = await readFile(file, 'utf8').catch((error: unknown) => {
      throw new CliError(`The key cannot be read: ${describe(error)}.`);
    });
    const origin = options.origin ?? (await this.#findOrigin(options));
    const verifierKey = makeVerifierKey(origin, pem);
    print(options.json, { origin, verifierKey }, verifierKey);
  }

  #findOrigin(options: ShowOptions): Promise<string> {
    const { host } = readConfig(process.env, { host: variables.sealOriginHost });
    return this.withStore(options, async (store) =>
      chooseOrigin(store, await new SealReader(store).findLast(), host),
    );
  }
}

function makeVerifierKey(origin: string, pem: string): string {
  try {
    return formatVerifierKey(readSigningKey(origin, pem));
  } catch (error) {
    if (error instanceof InvalidSeal) throw new CliError(error.message, 'usage');
    throw error;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Commands of the group within the group. */
export const KEY_COMMANDS = [NewSealKey, ShowSealKey];

@SubCommand({
  name: 'key',
  description: 'the key that signs checkpoints',
  subCommands: KEY_COMMANDS,
})
export class SealKeyCommands extends CommandGroup {}
