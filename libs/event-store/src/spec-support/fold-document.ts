import { foldEvents, unfolded } from '../fold.js';
import type { LiveAggregate } from '../live-aggregates.js';
import type { StreamDocument } from '../stream-document.js';
import type { MemoryEventStore } from './memory-event-store.js';

/** What a document says of a stream once it was taken on so far: by default as far as the stream goes. */
export async function foldDocument<State>(
  store: MemoryEventStore,
  { category, decider }: LiveAggregate<State>,
  id: string,
  toRevision = Infinity,
): Promise<StreamDocument<State>> {
  const events = store.readStream(`${category}-${id}`, { maxCount: toRevision + 1 });
  const folded = await foldEvents(decider.evolve, unfolded(decider.initialState), events);
  const { state, revision, lastOccurredAt } = folded;
  const known = new Set(folded.commands.keys());
  return { state, revision, lastOccurredAt, commands: { mayHold: (key) => known.has(key) } };
}
