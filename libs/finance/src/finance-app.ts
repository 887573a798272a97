import { appAggregate } from '#domain/app';
import { testClockAggregate, testClockNow } from '#domain/test-clock';
import {
  type CommandContext,
  type CommandExecutor,
  createCommandExecutor,
  type LedgerStore,
} from '#event-store';
import { newUuid, wallClock } from '#platform';

/** An app whose books are read or acted on, and the caller. */
export interface FinanceApp {
  readonly appId: string;
  readonly store: LedgerStore;
  readonly commands: CommandExecutor;
  /** Of acts, in the app's own time. */
  readonly context: CommandContext;
}

/** An app by its own events, for programs that follow no apps; undefined where there is none. @throws Fault. */
export async function findFinanceApp(
  store: LedgerStore,
  appId: string,
  actor: string,
): Promise<FinanceApp | undefined> {
  const commands = createCommandExecutor(store);
  const { state: app } = await commands.load(appAggregate, appId);
  if (app.status !== 'created') return undefined;
  const { state: clock } = await commands.load(testClockAggregate, appId);
  const now = testClockNow(clock, wallClock.now());
  const { environment } = app;
  const context = { appId, environment, now, actor, correlationId: newUuid() };
  return { appId, store, commands, context };
}
