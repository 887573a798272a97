import { statSync } from 'node:fs';
import process from 'node:process';
import { SubCommand } from 'nest-commander';
import type { Position } from '#domain/event';
import { type LedgerStore, START } from '#event-store';
import { createSeal, KEY_FILE_RECHECK_MS, type Seal, sleep } from '#platform';
import { CliError } from '../cli-error.js';
import { findNamespace } from '../data-dir.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { addMasterKey, dropFormerKeys } from './key-file.js';
import { describeRotation, describeStatus, type Rotation, type SealStatus } from './report.js';
import { type SealedCount, walkSealedStreams } from './sealed-streams.js';

/** So long after the file was changed, no program that reads it begins to seal under the key before. */
const SETTLING_MS = KEY_FILE_RECHECK_MS + 2000;

interface RotateOptions extends StoreCommandOptions {
  readonly status?: boolean;
  readonly dropFormer?: boolean;
}

@SubCommand({
  name: 'rotate',
  description: 'seal every secret anew under the first of the master keys, while programs run',
})
@Options({
  '--status': 'say how many secrets are under which key, and change nothing',
  '--drop-former': 'leave the present key alone in the file, when nothing is under another one',
})
class RotateMasterKey extends StoreCommand {
  async run(_: string[], options: RotateOptions): Promise<void> {
    if (options.status === true) return this.#showStatus(options);
    if (options.dropFormer === true) return this.#dropFormer(options);
    const file = this.#findFile(options);
    const isNew = file !== undefined && (await addMasterKey(file));
    const seal = createSeal(this.masterKeys(options));
    const rotation = await this.withStore(options, (store) => rotate(store, seal, file, isNew));
    print(options.json, rotation, describeRotation(rotation, file));
    if (rotation.unopenable > 0) throw unopenable(rotation);
  }

  async #showStatus(options: RotateOptions): Promise<void> {
    const seal = createSeal(this.masterKeys(options));
    const status = await this.withStore(options, (store) => readStatus(store, seal));
    print(options.json, status, describeStatus(status));
  }

  async #dropFormer(options: RotateOptions): Promise<void> {
    const file = this.#findFile(options);
    if (file === undefined) {
      throw new CliError('Take the former keys out of MASTER_KEY yourself.', 'usage');
    }
    const seal = createSeal(this.masterKeys(options));
    const status = await this.withStore(options, (store) => readStatus(store, seal));
    if (!status.isDone) {
      throw new CliError(`${status.left} secrets are not under the present key yet: rotate first.`);
    }
    await this.#requireUnusedElsewhere(options, seal);
    await dropFormerKeys(file, seal.keyIds()[0] ?? '');
    const said = 'Only the present key is left. Tokens that were signed with others are refused.';
    print(options.json, { ...status, keys: status.keys.slice(0, 1) }, said);
  }

  /** The ledgers that share a store may share a file of keys, too. @throws CliError that names one that needs them. */
  async #requireUnusedElsewhere(options: RotateOptions, seal: Seal): Promise<void> {
    const own = findNamespace(options, process.env);
    const opened = await this.withStore(options, (store) => store.namespaces.list());
    for (const { namespace } of opened.filter((each) => each.namespace !== own)) {
      const status = await this.withStore(options, (store) => readStatus(store, seal), namespace);
      const former = status.keys.slice(1).reduce((sum, { secrets }) => sum + secrets, 0);
      if (former === 0) continue;
      throw new CliError(
        `The namespace "${namespace}" has ${former} secrets under a former key: rotate there first ` +
          '(STREAM_NAMESPACE), with the same file of keys.',
      );
    }
  }

  #findFile(options: RotateOptions): string | undefined {
    return this.masterKeys(options).environment['MASTER_KEY_FILE'];
  }
}

/** Programs may have sealed under the key before while this began: newer events are looked at, too. */
async function rotate(
  store: LedgerStore,
  seal: Seal,
  file: string | undefined,
  isNew: boolean,
): Promise<Rotation> {
  const first = await walk(store, seal, START, false);
  if (file !== undefined)
    await sleep(Math.max(0, statSync(file).mtimeMs + SETTLING_MS - Date.now()));
  const second = await walk(store, seal, first.upTo, false);
  const [presentKey = '', ...formerKeys] = seal.keyIds();
  return {
    ...{ presentKey, formerKeys, isNew, streams: first.count.streams },
    resealed: first.count.resealed + second.count.resealed,
    unopenable: first.count.unopenable + second.count.unopenable,
    unopenableStreams: [...first.count.unopenableStreams, ...second.count.unopenableStreams],
  };
}

async function readStatus(store: LedgerStore, seal: Seal): Promise<SealStatus> {
  const { count } = await walk(store, seal, START, true);
  const keys = seal.keyIds().map((id) => ({ id, secrets: count.secrets.get(id) ?? 0 }));
  const total = [...count.secrets.values()].reduce((sum, secrets) => sum + secrets, 0);
  const unknown = total - keys.reduce((sum, { secrets }) => sum + secrets, 0);
  const left = total - (keys[0]?.secrets ?? 0);
  return { keys, unknown, left, isDone: left === 0 };
}

async function walk(
  store: LedgerStore,
  seal: Seal,
  after: Position,
  isDryRun: boolean,
): Promise<{ readonly count: SealedCount; readonly upTo: Position }> {
  return withBar(isDryRun ? 'looking' : 'sealing', (bar) => {
    const onProgress = (share: number) => bar.draw(share);
    return walkSealedStreams({ store, seal, after, isDryRun, onProgress });
  });
}

function unopenable({ unopenable: count, unopenableStreams }: Rotation): CliError {
  const message = `${count} streams have secrets that none of the master keys opens.`;
  return new CliError(message, 'refused', unopenableStreams);
}

export const commands = [RotateMasterKey];
