import { existsSync } from 'node:fs';
import process from 'node:process';
import type { LedgerStore } from '#event-store';
import { InvalidSeal } from '#seal';
import { KnownKeys } from '#seal-audit';
import { type FoundCheckpoint, SealReader } from '#sealing';
import { CliError } from '../cli-error.js';
import { findSealKeyFiles } from '../data-dir.js';
import { readText } from '../files.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

export interface KeyOptions extends StoreCommandOptions {
  readonly key?: string;
}

/** The option of commands that check signatures. */
export const KEY_OPTION = {
  '--key <keys>':
    "verifier keys of the ledger and of cosigners, NAME+ID+BASE64 with commas between them, or a file with one a line; without it the ledger's own key (SEAL_KEY_FILE)",
};

/** A command about the seals of a ledger. */
export abstract class SealCommand extends StoreCommand {
  /** @throws CliError where the ledger was never sealed; Fault. */
  protected async requireLast(store: LedgerStore): Promise<FoundCheckpoint> {
    await store.namespaces.require();
    const last = await new SealReader(store).findLast();
    if (last !== undefined) return last;
    const message =
      'This ledger has no checkpoint yet: start a bookkeeper, or type subledger seal checkpoint.';
    throw new CliError(message, 'refused', [], 'LEDGER_NOT_SEALED');
  }

  /** @throws CliError `usage` where no key is given. */
  protected findKnownKeys(options: KeyOptions): KnownKeys {
    const { sealKeyFile } = findSealKeyFiles(options, process.env);
    const texts = options.key === undefined ? [] : splitKeys(options.key);
    if (texts.length === 0 && sealKeyFile === undefined) {
      throw new CliError(
        'Say with --key whose signatures are right, or set SEAL_KEY_FILE.',
        'usage',
      );
    }
    const own = texts.length === 0 && sealKeyFile !== undefined ? readText(sealKeyFile) : undefined;
    return orUsage(() => new KnownKeys(texts, own));
  }
}

/** Verifier keys as they are typed, or a file with them. @throws CliError for a file that cannot be read. */
export function splitKeys(given: string): string[] {
  const text = given.includes('+') && !existsSync(given) ? given : readText(given);
  return text.split(/[,\s]+/).filter((key) => key !== '');
}

/** A bad key, note or proof is a mistake of the command line. */
export function orUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof InvalidSeal ? new CliError(error.message, 'usage') : error;
  }
}
