import { categoryOf, type RecordedFact } from '#domain/fact';
import type { FeedItem } from '#event-store';
import type { Projection } from '#projections';
import type { Namespace } from './keys.js';
import type { Lane, StreamFacts } from './lane.js';
import type { ParkedStream } from './parked.js';

/** What a batch is to one lane. */
export interface LanePlan {
  readonly streams: readonly StreamFacts[];
  /** Streams of which an event could not even be decoded. */
  readonly parked: readonly ParkedStream[];
}

interface OpenPlan {
  readonly streams: Map<string, { projection: Projection<unknown>; facts: RecordedFact[] }>;
  readonly parked: ParkedStream[];
}

/**
 * Sorts a batch by lane and stream. Facts of parked streams are held, and so is what follows an
 * undecodable event; that goes to the first lane, as its own cannot be read.
 *
 * @param lanes in the order of the namespace's. What a lane has already is left out.
 */
export function planBatch(
  items: readonly FeedItem[],
  lanes: readonly Lane[],
  namespace: Namespace,
  projections: ReadonlyMap<string, Projection<unknown>>,
): LanePlan[] {
  const plans = lanes.map((): OpenPlan => ({ streams: new Map(), parked: [] }));
  const held = new Set<string>();
  for (const item of items) {
    const { streamName } = item;
    if (held.has(streamName) || lanes.some((lane) => lane.isParked(streamName))) continue;
    if ('undecodable' in item) {
      held.add(streamName);
      if (item.position > (lanes[0]?.position ?? '')) {
        const { revision, position, type, reason } = item;
        plans[0]?.parked.push({ streamName, revision, position, type, reason });
      }
      continue;
    }
    const projection = projections.get(categoryOf(streamName));
    if (projection === undefined) continue;
    const { number } = laneOf(item, projection, namespace);
    if (item.position > (lanes[number]?.position ?? '')) addFact(plans[number], projection, item);
  }
  return plans.map(({ streams, parked }) => ({
    streams: [...streams].map(([streamName, stream]) => ({ streamName, ...stream })),
    parked,
  }));
}

function laneOf(fact: RecordedFact, projection: Projection<unknown>, namespace: Namespace) {
  const { appId, externalAccountId } = fact.metadata;
  return namespace.laneOf(appId, projection.laneBy === 'player' ? externalAccountId : undefined);
}

function addFact(
  plan: OpenPlan | undefined,
  projection: Projection<unknown>,
  fact: RecordedFact,
): void {
  const stream = plan?.streams.get(fact.streamName);
  if (stream === undefined) plan?.streams.set(fact.streamName, { projection, facts: [fact] });
  else stream.facts.push(fact);
}
