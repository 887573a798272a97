import { SubCommand } from 'nest-commander';
import { appAggregate, type CreatedApp } from '#domain/app';
import { isPseudonym } from '#domain/ids';
import { type CommandExecutor, createCommandExecutor, type LedgerStore } from '#event-store';
import { createSeal, Fault, type Seal } from '#platform';
import { createAppSecrets } from '#tenancy';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { type Erasure, readErasure, readErasures } from './erasures.js';
import { type ErasureReport, PlayerErasure } from './player-erasure.js';
import { describeErasures, describeReport } from './report.js';

/** Longer than the first attempts of a webhook take, shorter than a person waits at a terminal. */
const DEFAULT_WAIT_SECONDS = 60;
const NO_WAIT = 'Say --wait with --cancel: nothing waits for webhooks without it.';
const WHOSE = 'Say with --app whose player it is.';

interface EraseOptions extends StoreCommandOptions {
  readonly app?: string;
  readonly account?: string;
  readonly player?: string;
  readonly cancel?: boolean;
  readonly wait?: number;
  readonly status?: boolean;
}

@SubCommand({
  name: 'erase',
  description:
    "forget who a player is: the player's key, with all that is sealed under it; for good, and while programs run",
})
@Options({
  '--app <appId>': 'whose player it is',
  '--account <id>': "the studio's own id of the player",
  '--player <pseudonym>': [
    'or the 32 hex digits of the pseudonym',
    (value) => {
      if (isPseudonym(value)) return value;
      throw new CliError('--player must be 32 hex digits, as events and logs show them.', 'usage');
    },
  ],
  '--cancel':
    'end subscriptions and unpaid orders at once, and wait until all webhooks about the player are out',
  '--wait <seconds>': [
    `with --cancel: how long to wait for the webhooks (${DEFAULT_WAIT_SECONDS} without it)`,
    wholeNumber,
  ],
  '--status': 'list the remaining steps for erased players, and change nothing',
})
class ErasePlayerCommand extends StoreCommand {
  async run(_: string[], options: EraseOptions): Promise<void> {
    if (options.status === true) return this.#showStatus(options);
    if (options.wait !== undefined && options.cancel !== true) throw new CliError(NO_WAIT, 'usage');
    const { app: appId } = options;
    if (appId === undefined) throw new CliError(WHOSE, 'usage');
    const report = await this.withStore(options, (store) => this.#erase(store, appId, options));
    print(options.json, report, describeReport(report));
    if (report.late.length > 0) throw new CliError('The player has open purchases.', 'refused');
  }

  async #erase(store: LedgerStore, appId: string, options: EraseOptions): Promise<ErasureReport> {
    const commands = createCommandExecutor(store);
    const app = await this.#findApp(store, commands, appId);
    const player = this.#findPlayer(app, options);
    const { wait = DEFAULT_WAIT_SECONDS } = options;
    const cancel = options.cancel === true ? { waitMs: wait * 1000 } : undefined;
    return withBar('looking', (bar) => {
      const onProgress = (label: string, share: number) => bar.draw(share, label);
      return new PlayerErasure({ store, commands, app, player, onProgress }).run(cancel);
    });
  }

  async #showStatus(options: EraseOptions): Promise<void> {
    const erasures = await this.withStore(options, (store) => this.#readStatus(store, options));
    print(options.json, { erasures }, describeErasures(erasures));
  }

  async #readStatus(store: LedgerStore, options: EraseOptions): Promise<readonly Erasure[]> {
    const { app: appId, account, player } = options;
    const isOfOne = account !== undefined || player !== undefined;
    if (appId === undefined && isOfOne) throw new CliError(WHOSE, 'usage');
    if (appId === undefined || !isOfOne) {
      const all = await withBar('looking', (bar) =>
        readErasures(store, (share) => bar.draw(share)),
      );
      return all.filter((erasure) => appId === undefined || erasure.appId === appId);
    }
    const app = await this.#findApp(store, createCommandExecutor(store), appId);
    const erasure = await readErasure(store, this.#findPlayer(app, options));
    return erasure?.appId === appId ? [erasure] : [];
  }

  async #findApp(
    store: LedgerStore,
    commands: CommandExecutor,
    appId: string,
  ): Promise<CreatedApp> {
    await store.namespaces.require();
    const { state } = await commands.load(appAggregate, appId);
    if (state.status === 'created') return state;
    throw new CliError(`There is no app ${appId}.`);
  }

  /** MASTER_KEY is needed only where the studio's own id has to become a pseudonym. */
  #findPlayer(app: CreatedApp, options: EraseOptions): string {
    const { player, account } = options;
    if (player !== undefined && account === undefined) return player;
    if (player === undefined && account !== undefined) {
      return derivePseudonym(createSeal(this.masterKeys(options)), app, account);
    }
    throw new CliError('Say who with --account or with --player, and not with both.', 'usage');
  }
}

function derivePseudonym(seal: Seal, app: CreatedApp, account: string): string {
  try {
    return createAppSecrets(seal).pseudonym(app, account);
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'undecodable') throw error;
    throw new CliError("MASTER_KEY is not the key that sealed the app's secrets.", 'usage');
  }
}

export const commands = [ErasePlayerCommand];
