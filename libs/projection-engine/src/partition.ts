import { LRUCache } from 'lru-cache';
import { idOf, type RecordedEvent } from '#domain/event';
import type { Projection } from '#projections';
import { type Redis, redisReply } from '#redis';
import type { Checkpoint } from './checkpoint.js';
import {
  decodeDocument,
  type Document,
  encodeDocument,
  foldStream,
  type StreamChange,
} from './document.js';
import { type CommitOutcome, FencedCheckpoint } from './fenced-checkpoint.js';
import type { PartitionKeys } from './keys.js';
import type { Fence } from './leases/leases.js';
import { CACHED_DOCUMENTS } from './limits.js';
import { type ParkedStream, ParkedStreams } from './parked-streams.js';

/** The events of one stream, with the projection that folds them. */
export interface ProjectedStream {
  readonly projection: Projection<unknown>;
  readonly streamName: string;
  readonly events: readonly RecordedEvent[];
}

type FoldedStream = ProjectedStream & { readonly change: StreamChange };

/**
 * One partition as the projector that holds it sees it: where it stands, what is parked, and the documents
 * that it had in its hands. All of it is believed until a batch is fenced; then `load` looks again.
 */
export class Partition {
  readonly keys: PartitionKeys;
  readonly fence: Fence;
  readonly checkpoint: FencedCheckpoint;
  readonly parked: ParkedStreams;
  readonly #redis: Redis;
  readonly #documents: LRUCache<string, Document<unknown>>;

  /** @param sharing how many partitions share this process's memory for documents. */
  constructor(redis: Redis, keys: PartitionKeys, fence: Fence, sharing = 1) {
    this.#redis = redis;
    this.keys = keys;
    this.fence = fence;
    this.checkpoint = new FencedCheckpoint(redis, keys, fence);
    this.parked = new ParkedStreams(redis, keys.parked, fence);
    this.#documents = new LRUCache({ max: Math.ceil(CACHED_DOCUMENTS / sharing) });
  }

  /** Looks at Redis anew and forgets what it held. */
  async load(): Promise<void> {
    await this.checkpoint.load();
    this.#documents.clear();
    await this.parked.load();
  }

  /** Folds what a batch changes. Nothing is written yet. */
  async fold(streams: readonly ProjectedStream[]): Promise<FoldedStream[]> {
    const documents = await this.#findDocuments(streams);
    return streams.map((stream, at) => {
      const id = idOf(stream.streamName);
      const change = foldStream(stream.projection, id, documents[at], stream.events);
      return { ...stream, change };
    });
  }

  /** Writes folded changes and the next checkpoint in one atomic act. @throws Fault. */
  async commit(
    folded: readonly FoldedStream[],
    parked: readonly ParkedStream[],
    next: Checkpoint,
  ): Promise<CommitOutcome> {
    const written = folded.flatMap(({ change: { document }, projection, streamName }) =>
      document === undefined ? [] : [{ key: this.#documentKey(projection, streamName), document }],
    );
    const outcome = await this.checkpoint.commit(next, {
      documents: written.map(({ key, document }) => ({ key, stored: encodeDocument(document) })),
      lists: folded.flatMap(({ change }) => [
        ...change.removed.map((entry) => this.#listChange('remove', entry)),
        ...change.added.map((entry) => this.#listChange('add', entry)),
      ]),
      parked,
    });
    if (outcome !== 'applied') return outcome;
    for (const { key, document } of written) this.#documents.set(key, document);
    for (const stream of parked) this.parked.note(stream);
    return outcome;
  }

  #listChange(act: 'add' | 'remove', entry: StreamChange['added'][number]) {
    return { act, entry, key: this.keys.index(entry.index) };
  }

  async #findDocuments(
    streams: readonly ProjectedStream[],
  ): Promise<(Document<unknown> | undefined)[]> {
    const keys = streams.map((stream) => this.#documentKey(stream.projection, stream.streamName));
    const missing = keys.filter((key) => !this.#documents.has(key));
    const fetched = new Map<string, Document<unknown>>();
    if (missing.length > 0) {
      const stored = await redisReply(this.#redis.mget(missing));
      for (const [at, key] of missing.entries()) {
        const text = stored[at];
        if (typeof text === 'string') fetched.set(key, decodeDocument(text));
      }
    }
    return keys.map((key) => fetched.get(key) ?? this.#documents.get(key));
  }

  #documentKey(projection: Projection<unknown>, streamName: string): string {
    return this.keys.document(projection.name, idOf(streamName));
  }
}
