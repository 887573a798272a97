import type { CommandExecutor, LiveAggregates } from '#event-store';
import { createPersonalData, type PersonalData } from '#tenancy';
import type { Seal } from '#platform';

/**
 * Personal data for purchases that tests write here: each player is read from the store when asked for.
 *
 * @param known memory's state of every player, which may be behind the store. @param revision of it.
 */
export function loadingPersonalData(
  commands: CommandExecutor,
  seal: Seal,
  known?: { readonly status: string },
  revision?: number,
): PersonalData {
  const load: LiveAggregates['get'] = async (aggregate, id) => {
    // Loading folds and decides nothing.
    const loaded = await commands.load(aggregate as Parameters<CommandExecutor['load']>[0], id);
    return { ...loaded, isFrozen: false } as Awaited<ReturnType<LiveAggregates['get']>> as never;
  };
  const recall = () => known && { state: known, revision };
  const get = known === undefined ? load : async () => recall();
  const live = { get, refresh: load, recall } as unknown as LiveAggregates;
  return createPersonalData({ live, commands, seal });
}
