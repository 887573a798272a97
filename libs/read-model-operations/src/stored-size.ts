import { assertDefect } from '#platform';
import type { Checkpoint, PartitionKeys } from '#projection-engine';
import { type Redis, redisReply } from '#redis';

/** Documents of a partition that Redis weighs to estimate the memory of all: it answers nothing else meanwhile. */
const WEIGHED_DOCUMENTS = 20;
/** Memory of a list entry in bytes with its share of its list: between those of long lists and of lists of one player. */
const ENTRY_BYTES = 150;

/** The content of a generation, or of its part in a partition. */
export interface StoredSize {
  readonly documents: number;
  readonly entries: number;
  readonly parkedStreams: number;
  /** An estimate: some documents are weighed, and entries are counted. */
  readonly bytes: number;
}

const NOTHING_STORED: StoredSize = { documents: 0, entries: 0, parkedStreams: 0, bytes: 0 };

/** Measures a generation in a partition, in a bounded time of Redis. @throws Fault of Redis. */
export async function measureSize(
  redis: Redis,
  keys: PartitionKeys,
  { epoch }: Checkpoint,
): Promise<StoredSize> {
  const { documents, parked, counts } = keys.generation(epoch);
  const asked = redis.multi().hlen(documents).hlen(parked).hvals(counts);
  asked.memory('USAGE', documents, 'SAMPLES', WEIGHED_DOCUMENTS);
  const replies = await redisReply(asked.exec());
  assertDefect(replies !== null, 'nothing was watched');
  const [documentCount, parkedStreams, entryCounts, weighed] = replies.map(([error, reply]) => {
    if (error !== null) throw error;
    return reply;
  });
  // The answers are those of HLEN, HVALS and MEMORY USAGE, which answers nothing of a key that is not there.
  const entries = (entryCounts as string[]).reduce((sum, count) => sum + Number(count), 0);
  const bytes = Number(weighed ?? 0) + entries * ENTRY_BYTES;
  return {
    ...{ documents: Number(documentCount), entries },
    ...{ parkedStreams: Number(parkedStreams), bytes },
  };
}

export function addSizes(sizes: readonly StoredSize[]): StoredSize {
  return sizes.reduce(
    (sum, each) => ({
      documents: sum.documents + each.documents,
      entries: sum.entries + each.entries,
      parkedStreams: sum.parkedStreams + each.parkedStreams,
      bytes: sum.bytes + each.bytes,
    }),
    NOTHING_STORED,
  );
}
