import process from 'node:process';
import { appAggregate } from '#domain/app';
import { testClockAggregate, testClockNow } from '#domain/test-clock';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type LedgerStore,
} from '#event-store';
import { newUuid, wallClock } from '#platform';
import { CliError } from '../cli-error.js';
import { demoFileIn } from '../data-dir.js';
import { Options } from '../options.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

export interface FinanceOptions extends StoreCommandOptions {
  readonly app?: string;
}

/** An app whose books are looked at or acted on. */
export interface AppInHand {
  readonly appId: string;
  readonly store: LedgerStore;
  readonly commands: CommandExecutor;
  /** Of acts from the command line, in the app's own time. */
  readonly context: CommandContext;
}

/** A command about the books of one app. */
@Options({ '--app <id>': 'the app (SUBLEDGER_APP, or that of the standalone)' })
export abstract class FinanceCommand extends StoreCommand {
  /** @throws CliError for an app that is not there, or none that is named; Fault. */
  protected withApp<T>(options: FinanceOptions, work: (app: AppInHand) => Promise<T>): Promise<T> {
    const appId = findApp(options);
    return this.withStore(options, async (store) => {
      await store.namespaces.require();
      const commands = createCommandExecutor(store);
      const { state: app } = await commands.load(appAggregate, appId);
      if (app.status !== 'created') throw new CliError(`There is no app ${appId}.`);
      const { state: clock } = await commands.load(testClockAggregate, appId);
      const now = testClockNow(clock, wallClock.now());
      const { environment } = app;
      const context = { appId, environment, now, actor: 'cli', correlationId: newUuid() };
      return work({ appId, store, commands, context });
    });
  }
}

function findApp(options: FinanceOptions): string {
  const { demo } = demoFileIn(options, process.env);
  const appId = options.app ?? process.env['SUBLEDGER_APP'] ?? demo?.appId ?? '';
  if (appId === '') throw new CliError('Say the app with --app or SUBLEDGER_APP.', 'usage');
  return appId;
}
