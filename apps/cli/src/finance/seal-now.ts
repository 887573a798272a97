import process from 'node:process';
import type { LedgerStore } from '#event-store';
import { readConfig, SettingRefused, variables } from '#platform';
import { type FoundCheckpoint, readSealingKeys, sealNow } from '#sealing';
import { CliError } from '../cli-error.js';
import { type DataDirOptions, findSealKeyFiles } from '../data-dir.js';

/** Makes a checkpoint of all that is stored, by the keys of the data directory or of the environment. */
export async function sealAll(
  store: LedgerStore,
  options: DataDirOptions,
): Promise<FoundCheckpoint | undefined> {
  const { originHost } = readConfig(process.env, { originHost: variables.sealOriginHost });
  try {
    const keys = await readSealingKeys(findSealKeyFiles(options, process.env));
    return await sealNow({ store, keys, originHost });
  } catch (error) {
    throw error instanceof SettingRefused ? new CliError(error.message, 'usage') : error;
  }
}
