import { TILE_WIDTH } from '#seal';
import { EventPlaces, type FoundCheckpoint, SealReader } from '#sealing';
import { LeafMatcher } from './leaf-matcher.js';
import { LeafSource } from './leaf-source.js';
import { type AuditedStore, readLogLeaves } from './log-leaves.js';

/** How many events of the log are in no checkpoint yet: of all, where there is none. @throws Fault of the store. */
export async function countUnattested(
  store: AuditedStore,
  last: FoundCheckpoint | undefined,
): Promise<number> {
  const reader = new SealReader(store);
  const tree = last?.checkpoint ?? { size: 0, tail: Buffer.alloc(0) };
  const places = new EventPlaces(store, reader);
  const { after, fromTile } = await places.findStart(Math.floor(tree.size / TILE_WIDTH));
  const matcher = new LeafMatcher(new LeafSource(reader, tree, fromTile));
  let [count, isAttested] = [0, last === undefined];
  for await (const { hash } of readLogLeaves(store, after)) {
    const isSealed = (await matcher.find(hash)) !== undefined;
    // Before the first leaf that is found, the log has events of earlier tiles.
    isAttested ||= isSealed;
    if (isAttested && !isSealed) count += 1;
  }
  return count;
}
