import { categoryOf, idOf, type Instant, type RecordedEvent } from '#domain/event';
import { playerAggregate, type PlayerErased } from '#domain/player';
import { type FeedItem, type LedgerStore, readLog, type Scavenge } from '#event-store';
import { forEachConcurrently } from '#platform';

const ERASED: PlayerErased['type'] = 'player.erased.v1';
const STREAMS_AT_ONCE = 16;

/** The work that is left, until nothing of the player's key is in the store. */
export type Due = 'truncation' | 'scavenge' | 'nothing';

/** A player who was erased, and how far that is. */
export interface Erasure {
  readonly appId: string;
  /** The pseudonym. */
  readonly player: string;
  readonly erasedAt: Instant;
  /** The revision of the event that erased the player for the last time. */
  readonly revision: number;
  readonly due: Due;
  /** Whether a scavenge is under way that will do the due work. */
  readonly isScavenging: boolean;
  /** Where a scavenge is due of which the user may read: each node forgets for itself. */
  readonly nodes?: ScavengedNodes;
}

/** Nodes of the event store, by the scavenges that began behind the truncation. */
export interface ScavengedNodes {
  /** Whose scavenge has succeeded, as they name themselves. */
  readonly done: readonly string[];
  readonly left: number;
  /** The nodes that are left are among these, as they announce themselves to clients. */
  readonly among: readonly string[];
}

type Found = Omit<Erasure, 'due' | 'isScavenging' | 'nodes'>;

/** A store's account of its scavenges, and of the nodes that have to scavenge. */
interface ToldScavenges {
  readonly list: readonly Scavenge[];
  readonly nodes: readonly string[];
}

/** How far the last erasure of one player is; undefined for one who never was erased. @throws Fault. */
export async function readErasure(
  store: LedgerStore,
  player: string,
): Promise<Erasure | undefined> {
  let found: Found | undefined;
  for await (const event of store.readStream(playerStream(player)))
    found = readErased(event) ?? found;
  return found && judge(store, found, await readScavenges(store));
}

/** The same of all players who were erased, in the order of that. @throws Fault. */
export async function readErasures(
  store: LedgerStore,
  onProgress: (share: number) => void,
): Promise<Erasure[]> {
  const found = new Map<string, Found>();
  const categories = [playerAggregate.category];
  for await (const { events } of readLog({ store, categories, onProgress })) {
    for (const item of events) {
      const erased = readErased(item);
      if (erased !== undefined) found.set(erased.player, erased);
    }
  }
  const scavenges = await readScavenges(store);
  const judged = new Map<string, Erasure>();
  await forEachConcurrently([...found.values()], STREAMS_AT_ONCE, async (each) => {
    judged.set(each.player, await judge(store, each, scavenges));
  });
  return [...judged.values()].sort((left, right) => (left.erasedAt < right.erasedAt ? -1 : 1));
}

/** The stream of a player. */
export function playerStream(player: string): string {
  return `${playerAggregate.category}-${player}`;
}

function readErased(item: FeedItem | RecordedEvent): Found | undefined {
  if ('undecodable' in item || item.type !== ERASED) return undefined;
  if (categoryOf(item.streamName) !== playerAggregate.category) return undefined;
  const { streamName, revision, metadata } = item;
  // The codec fills up the fields that the event need not repeat.
  const { erasedAt } = item.data as PlayerErased['data'];
  return { appId: metadata.appId, player: idOf(streamName), erasedAt, revision };
}

/** Undefined where the store lets this user know nothing of them. */
async function readScavenges({ scavenges }: LedgerStore): Promise<ToldScavenges | undefined> {
  const list = await scavenges.list();
  return list && { list, nodes: await scavenges.nodes() };
}

/** @param scavenges where nothing is known of them, one is due for sure. */
async function judge(
  store: LedgerStore,
  found: Found,
  scavenges: ToldScavenges | undefined,
): Promise<Erasure> {
  const cut = await store.truncations.find(playerStream(found.player));
  if (found.revision === 0) return { ...found, due: 'nothing', isScavenging: false };
  if (cut === undefined || cut.before < found.revision) {
    return { ...found, due: 'truncation', isScavenging: false };
  }
  // One that began before may have passed by events that were cut off since.
  if (scavenges === undefined) return { ...found, due: 'scavenge', isScavenging: false };
  const since = scavenges.list.filter(({ startedPosition }) => startedPosition > cut.position);
  const nodes = judgeNodes(scavenges, since);
  if (nodes.done.length > 0 && nodes.left === 0) {
    return { ...found, due: 'nothing', isScavenging: false };
  }
  const isScavenging = since.some(({ endedAt }) => endedAt === undefined);
  return { ...found, due: 'scavenge', isScavenging, nodes };
}

/**
 * A name of no member is that of one all the same where nodes name themselves otherwise than they announce themselves to
 * clients: no scavenge names a member then. Else it is that of a node that is gone (decision 0017).
 */
function judgeNodes(
  { list, nodes: members }: ToldScavenges,
  since: readonly Scavenge[],
): ScavengedNodes {
  const succeeded = since.filter(({ result }) => result === 'Success');
  const done = [...new Set(succeeded.map(({ node }) => node))];
  const among = members.filter((member) => !done.includes(member));
  const goesByOtherNames =
    members.length === 1 || list.every(({ node }) => !members.includes(node));
  const strangers = goesByOtherNames ? done.filter((node) => !members.includes(node)) : [];
  return { done, left: Math.max(0, among.length - strangers.length), among };
}
