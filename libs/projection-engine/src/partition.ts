import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { idOf, type Position, type RecordedEvent } from '#domain/event';
import type { IndexEntry, Projection } from '#projections';
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, NOTHING } from './checkpoint.js';
import { decodeDocument, type Document, encodeDocument } from './document.js';
import { foldStream, type StreamChange } from './fold.js';
import type { PartitionKeys } from './keys.js';
import { CACHED_DOCUMENTS } from './limits.js';
import type { ParkedStream } from './parked.js';
import { answerOf } from './redis.js';
import { loadScript } from './script.js';

type Outcome = 'applied' | 'fenced' | 'outdated';

/** The events of one stream, with the projection that folds them. */
export interface StreamEvents {
  readonly projection: Projection<unknown>;
  readonly streamName: string;
  readonly events: readonly RecordedEvent[];
}

const applyBatch = loadScript('apply-batch-n.lua');

/**
 * One partition as a projector sees it: where it stands, what is parked, and the documents that it had in
 * its hands. All of it is believed until a batch is fenced; then `load` looks again.
 */
export class Partition {
  readonly keys: PartitionKeys;
  readonly #redis: Redis;
  readonly #documents = new LRUCache<string, Document<unknown>>({ max: CACHED_DOCUMENTS });
  readonly #parked = new Set<string>();
  /** As it is stored: the fence. */
  #stored = '';

  constructor(redis: Redis, keys: PartitionKeys) {
    this.#redis = redis;
    this.keys = keys;
  }

  get stored(): string {
    return this.#stored;
  }

  get checkpoint(): Checkpoint | undefined {
    return decodeCheckpoint(this.#stored);
  }

  get position(): Position {
    return this.checkpoint?.position ?? NOTHING;
  }

  get parkedCount(): number {
    return this.#parked.size;
  }

  isParked(streamName: string): boolean {
    return this.#parked.has(streamName);
  }

  /** Looks at Redis anew and forgets what it held. */
  async load(): Promise<void> {
    // The checkpoint first: what is parked meanwhile comes with a checkpoint that fences us.
    this.#stored = (await answerOf(this.#redis.get(this.keys.checkpoint))) ?? '';
    const parked = await answerOf(this.#redis.hkeys(this.keys.parked));
    this.#documents.clear();
    this.#parked.clear();
    for (const streamName of parked) this.#parked.add(streamName);
  }

  /** Whether the partition still stands where it was left. */
  async isUnchanged(): Promise<boolean> {
    return ((await answerOf(this.#redis.get(this.keys.checkpoint))) ?? '') === this.#stored;
  }

  /** Folds what a batch changes. Nothing is written yet. */
  async fold(
    streams: readonly StreamEvents[],
  ): Promise<(StreamEvents & { change: StreamChange })[]> {
    const documents = await this.#documentsOf(streams);
    return streams.map((stream, at) => {
      const id = idOf(stream.streamName);
      const change = foldStream(stream.projection, id, documents[at], stream.events);
      return { ...stream, change };
    });
  }

  /** Writes folded changes and the next checkpoint in one atomic act. @throws Fault. */
  async commit(
    folded: readonly (StreamEvents & { change: StreamChange })[],
    parked: readonly ParkedStream[],
    next: Checkpoint | undefined,
  ): Promise<Outcome> {
    const stored = next === undefined ? '' : encodeCheckpoint(next);
    const written = folded.flatMap(({ change, projection, streamName }) =>
      change.document === undefined
        ? []
        : [{ key: this.#documentKey(projection, streamName), document: change.document }],
    );
    const listed = folded.flatMap(({ change }) => [
      ...change.removed.map((entry) => ['remove', entry] as const),
      ...change.added.map((entry) => ['add', entry] as const),
    ]);
    const keys = [
      this.keys.checkpoint,
      this.keys.parked,
      ...written.map(({ key }) => key),
      ...listed.map(([, { index }]) => this.keys.index(index)),
    ];
    const args = [
      this.#stored,
      stored,
      String(written.length),
      ...written.map(({ document }) => encodeDocument(document)),
      ...listed.flatMap(([act, entry]) => changeArgs(act, entry)),
      ...parked.flatMap((stream) => [stream.streamName, JSON.stringify(stream)]),
    ];
    // The script's header says what it answers.
    const outcome = (await applyBatch(this.#redis, keys, args)) as Outcome;
    if (outcome !== 'applied') return outcome;
    this.#stored = stored;
    for (const { key, document } of written) this.#documents.set(key, document);
    for (const { streamName } of parked) this.#parked.add(streamName);
    return outcome;
  }

  async #documentsOf(streams: readonly StreamEvents[]): Promise<(Document<unknown> | undefined)[]> {
    const keys = streams.map((stream) => this.#documentKey(stream.projection, stream.streamName));
    const missing = keys.filter((key) => !this.#documents.has(key));
    const fetched = new Map<string, Document<unknown>>();
    if (missing.length > 0) {
      const stored = await answerOf(this.#redis.mget(missing));
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

function changeArgs(act: 'add' | 'remove', { score, member }: IndexEntry): string[] {
  return [act, String(score), member];
}
