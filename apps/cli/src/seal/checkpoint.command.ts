import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { readConfig, SettingRefused, variables } from '#platform';
import { readSealingKeys, sealNow } from '#sealing';
import { CliError } from '../cli-error.js';
import { findSealKeyFiles } from '../data-dir.js';
import { print } from '../output.js';
import type { StoreCommandOptions } from '../store-command.js';
import { SealCommand } from './seal-command.js';
import { describeCheckpoint } from './status.command.js';

@SubCommand({
  name: 'checkpoint',
  description:
    'seal all events now and sign a checkpoint of them with SEAL_KEY_FILE; where nothing is new, show the last one. A bookkeeper may run meanwhile',
})
export class MakeCheckpoint extends SealCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const last = await this.withStore(options, async (store) => {
      await store.namespaces.require();
      const { originHost } = readConfig(process.env, { originHost: variables.sealOriginHost });
      const keys = await readSealingKeys(findSealKeyFiles(options, process.env));
      return sealNow({ store, keys, originHost });
    }).catch((error: unknown) => {
      throw error instanceof SettingRefused ? new CliError(error.message, 'usage') : error;
    });
    if (last === undefined) throw new CliError('This ledger has no event to seal.');
    const checkpoint = describeCheckpoint(last);
    const { size, origin } = checkpoint;
    print(
      options.json,
      { ...checkpoint, note: last.checkpoint.note },
      `${size} leaves of ${origin} are attested.`,
    );
  }
}
