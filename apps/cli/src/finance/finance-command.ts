import process from 'node:process';
import { type FinanceApp, FinanceRefusal, findFinanceApp } from '#finance';
import { CliError } from '../cli-error.js';
import { demoFileIn } from '../data-dir.js';
import { Options } from '../options.js';
import { toCliError } from './refused.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

export interface FinanceOptions extends StoreCommandOptions {
  readonly app?: string;
}

/** A command about the books of one app. */
@Options({ '--app <id>': 'the app (SUBLEDGER_APP, or that of the standalone)' })
export abstract class FinanceCommand extends StoreCommand {
  /** @throws CliError for an app that is not there, or none that is named; Fault. */
  protected withApp<T>(options: FinanceOptions, work: (app: FinanceApp) => Promise<T>): Promise<T> {
    const appId = findApp(options);
    return this.withStore(options, async (store) => {
      await store.namespaces.require();
      const app = await findFinanceApp(store, appId, 'cli');
      if (app === undefined) throw new CliError(`There is no app ${appId}.`);
      try {
        return await work(app);
      } catch (error) {
        throw error instanceof FinanceRefusal ? toCliError(error) : error;
      }
    });
  }
}

function findApp(options: FinanceOptions): string {
  const { demo } = demoFileIn(options, process.env);
  const appId = options.app ?? process.env['SUBLEDGER_APP'] ?? demo?.appId ?? '';
  if (appId === '') throw new CliError('Say the app with --app or SUBLEDGER_APP.', 'usage');
  return appId;
}
