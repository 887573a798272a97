import { loadScript, type Redis } from '#redis';
import type { IndexEntry } from '../define/index.js';
import type { Fence } from '../leases/leases.js';
import type { Checkpoint } from './checkpoint.js';
import type { ParkedStream } from './parked-stream.js';

/**
 * `fenced`: another process holds the partition, or another writer went ahead; `outdated`: a document was
 * folded from an old one.
 */
export type CommitOutcome = 'applied' | 'fenced' | 'outdated';

/** The part of a batch for one read model, or another follower, with its checkpoint. */
export interface Section {
  readonly fence: Fence;
  readonly checkpoint: CheckpointStep;
  readonly writes?: SectionWrites;
}

/** The move of a checkpoint: both positions as they are stored, empty for none. */
export interface CheckpointStep {
  readonly key: string;
  readonly from: string;
  readonly to: string;
  /** The same as `to`, as it was before it was encoded. */
  readonly next: Checkpoint | undefined;
}

export interface SectionWrites {
  /** The key of the documents. */
  readonly documentsKey: string;
  readonly documents: readonly { readonly id: string; readonly stored: string }[];
  /** The key of the numbers of entries, by the names of lists. */
  readonly countsKey: string;
  readonly lists: readonly ListChange[];
  /** The key of the parked streams. */
  readonly parkedKey: string;
  readonly parked: readonly ParkedStream[];
  /** The names of streams that are parked no more. */
  readonly unparked: readonly string[];
}

export interface ListChange {
  readonly act: 'add' | 'remove';
  readonly key: string;
  readonly entry: IndexEntry;
}

const applyBatchScript = loadScript(new URL('../lua/apply-batch-n.lua', import.meta.url));

/** Writes sections of one partition in one atomic act: all of them, or none. @throws Fault of Redis. */
export async function applyBatch(
  redis: Redis,
  sections: readonly Section[],
): Promise<CommitOutcome> {
  const keys = sections.flatMap(sectionKeys);
  const args = [String(sections.length)];
  for (const section of sections) pushArguments(args, section);
  // The script's header describes its answer.
  return (await applyBatchScript(redis, keys, args)) as CommitOutcome;
}

function sectionKeys({ fence, checkpoint, writes }: Section): string[] {
  // Without writes there are no keys of parked streams, documents and counts, and none is touched.
  const { key } = checkpoint;
  const { parkedKey = key, documentsKey = key, countsKey = key, lists = [] } = writes ?? {};
  return [fence.key, key, parkedKey, documentsKey, countsKey, ...lists.map((list) => list.key)];
}

/** They are pushed one by one: a batch of a rebuild has thousands. */
function pushArguments(args: string[], { fence, checkpoint, writes }: Section): void {
  const { documents = [], lists = [], parked = [], unparked = [] } = writes ?? {};
  args.push(fence.token, checkpoint.from, checkpoint.to);
  for (const { length } of [documents, lists, parked, unparked]) args.push(String(length));
  for (const { id, stored } of documents) args.push(id, stored);
  for (const { act, entry } of lists) {
    args.push(act, String(entry.score), entry.member, entry.index[0]);
  }
  args.push(...unparked);
  for (const stream of parked) args.push(stream.streamName, JSON.stringify(stream));
}
