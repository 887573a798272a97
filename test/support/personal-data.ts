import type { CommandExecutor, LiveAggregates } from '#event-store';
import { createPersonalData, type PersonalData } from '#tenancy';
import type { Seal } from '#platform';

/** Personal data for what writes purchases here: each player is read from the store when asked for. */
export function loadingPersonalData(commands: CommandExecutor, seal: Seal): PersonalData {
  const load: LiveAggregates['get'] = async (aggregate, id) => {
    // Loading folds and decides nothing.
    const loaded = await commands.load(aggregate as Parameters<CommandExecutor['load']>[0], id);
    return { ...loaded, isFrozen: false } as Awaited<ReturnType<LiveAggregates['get']>> as never;
  };
  const live = { get: load, refresh: load, recall: () => undefined } as unknown as LiveAggregates;
  return createPersonalData({ live, commands, seal });
}
