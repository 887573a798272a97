import type { App } from '#domain/app';
import type { RecordedEvent } from '#domain/event';
import { taxRatesAggregate } from '#domain/pricing';
import {
  type ProcessNeed,
  type ProcessNeeds,
  type ProcessOutput,
  type ProcessRoute,
  routesFor,
  runRoute,
} from '#domain/processes';
import type { CommandExecutor } from '#event-store';
import { assertDefect } from '#platform';
import type { StateAtRevisionCache } from '../feed/state-at-revision-cache.js';

export interface ReactContext {
  readonly streams: StateAtRevisionCache;
  readonly commands: CommandExecutor;
  readonly findApp: (appId: string) => Promise<Exclude<App, { status: 'none' }> | undefined>;
}

/**
 * What follows from an event, by the rows of the domain: loads what each row needs and runs it.
 *
 * @throws Fault of the store; Defect for a stream or an app that cannot be missing.
 */
export async function reactTo(
  event: RecordedEvent,
  context: ReactContext,
): Promise<readonly ProcessOutput[]> {
  const outputs: ProcessOutput[] = [];
  for (const route of routesFor(event.type)) {
    const state = await loadState(route, event, context);
    const output = runRoute(route, event, state, await loadNeeds(route, event, context));
    if (output !== undefined) outputs.push(output);
  }
  return outputs;
}

async function loadState(
  { stream, process }: ProcessRoute,
  event: RecordedEvent,
  { streams }: ReactContext,
): Promise<unknown> {
  if (stream === null) return null;
  const state = await streams.stateAt(stream, event);
  const { status } = state as { readonly status: string };
  assertDefect(status !== 'none', `${process}: ${event.streamName} has not begun`);
  return state;
}

async function loadNeeds(
  { needs, process }: ProcessRoute,
  { metadata: { appId } }: RecordedEvent,
  { commands, findApp }: ReactContext,
): Promise<Partial<ProcessNeeds>> {
  const load: { readonly [Need in ProcessNeed]: () => Promise<ProcessNeeds[Need]> } = {
    dunning: async () => {
      const app = await findApp(appId);
      assertDefect(app !== undefined, `${process}: ${appId} is no app`);
      return app.dunning;
    },
    taxRates: async () => (await commands.load(taxRatesAggregate, appId)).state,
  };
  const loaded = await Promise.all(needs.map(async (need) => [need, await load[need]()] as const));
  return Object.fromEntries(loaded);
}
