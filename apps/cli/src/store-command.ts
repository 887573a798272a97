import process from 'node:process';
import type { LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { type MasterKeys, SettingRefused } from '#platform';
import { CliCommand } from './cli-command.js';
import { CliError } from './cli-error.js';
import {
  type DataDirOptions,
  findEventStoreUrl,
  findMasterKeys,
  findNamespace,
} from './data-dir.js';
import { Options } from './options.js';

export interface StoreCommandOptions extends DataDirOptions {
  readonly json?: boolean;
}

/** A command that goes to the event store itself: how it is reached is the same for all of them. */
@Options({
  '--data-dir <dir>':
    'the data directory of a standalone that runs (EVENTSTOREDB_URL, or DATA_DIR)',
  '--json': 'print JSON, one object a line',
})
export abstract class StoreCommand extends CliCommand {
  /** The types of events that the command can read; all of them, also those of newer releases, unless given. */
  protected readonly knownTypes: readonly string[] | undefined = undefined;

  /**
   * @param namespace of another ledger in the same store, where it is not the command's own.
   * @throws CliError when no store is named; SettingRefused; Fault when it is out of reach.
   */
  protected async withStore<T>(
    options: StoreCommandOptions,
    work: (store: LedgerStore) => Promise<T>,
    namespace = findNamespace(options, process.env),
  ): Promise<T> {
    const store = connectStore(findEventStoreUrl(options, process.env), namespace, this.knownTypes);
    try {
      return await work(store);
    } catch (error) {
      throw (await store.findSettingProblem(error)) ?? error;
    } finally {
      await store.dispose();
    }
  }

  protected masterKeys(options: StoreCommandOptions): MasterKeys {
    return findMasterKeys(options, process.env);
  }
}

/** @throws CliError `usage` for a connection string that cannot be used. */
export function connectStore(
  url: string,
  namespace: string,
  knownTypes?: readonly string[],
): LedgerStore {
  try {
    // Without a list of known types it reads the events of newer releases, too.
    return connectEventStore(url, { namespace, ...(knownTypes && { knownTypes }) });
  } catch (error) {
    if (error instanceof SettingRefused) throw new CliError(error.message, 'usage');
    throw error;
  }
}
