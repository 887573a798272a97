import { LRUCache } from 'lru-cache';
import type { Position, RecordedEvent } from '#domain/event';
import { assertDefect, upTo } from '#platform';
import { type Redis, redisReply } from '#redis';
import type { Document, Projection } from '../define/index.js';
import type { Fence } from '../leases/leases.js';
import type { Section } from '../stored/apply-batch.js';
import type { Checkpoint } from '../stored/checkpoint.js';
import { decodeDocument } from '../stored/document.js';
import { findDocumentId } from '../stored/document-id.js';
import { FencedCheckpoint, newMark } from '../stored/fenced-checkpoint.js';
import type { GenerationKeys, PartitionKeys } from '../stored/keys.js';
import { type ParkedStream, readParked } from '../stored/parked-stream.js';
import { foldBatch, type FoldedBatch } from './fold-batch.js';

interface PartitionDocumentsOptions {
  readonly projection: Projection<unknown>;
  readonly keys: PartitionKeys;
  /** The key of the place in which the generation is. */
  readonly placeKey: string;
  readonly fence: Fence;
  /** The most documents that it keeps in memory. */
  readonly cachedDocuments: number;
}

/**
 * One generation of a read model in one partition, as the projector that holds it knows it: its checkpoint, its parked
 * streams, and the documents of the latest events. All of it is believed until a batch is fenced.
 */
export class PartitionDocuments {
  readonly projection: Projection<unknown>;
  readonly keys: PartitionKeys;
  readonly #checkpoint: FencedCheckpoint;
  readonly #documents: LRUCache<string, Document<unknown>>;
  #parked = new Map<string, ParkedStream>();
  #generation: GenerationKeys;
  #mark = newMark();

  constructor(
    private readonly redis: Redis,
    private readonly options: PartitionDocumentsOptions,
  ) {
    const { projection, keys, placeKey, fence, cachedDocuments } = options;
    this.projection = projection;
    this.keys = keys;
    this.#checkpoint = new FencedCheckpoint(redis, placeKey, fence);
    this.#documents = new LRUCache(upTo(cachedDocuments));
    this.#generation = keys.generation('');
  }

  get number(): number {
    return this.keys.number;
  }

  /** Everything up to here is in it. */
  get position(): Position {
    return this.#checkpoint.position;
  }

  /** The checkpoint as it was left, and the key at which it stands. */
  get left(): { readonly key: string; readonly stored: string } {
    return { key: this.options.placeKey, stored: this.#checkpoint.stored };
  }

  /** @throws Error unless it was loaded, and is there. */
  get checkpoint(): Checkpoint {
    const { current } = this.#checkpoint;
    assertDefect(current !== undefined, 'a generation that was not opened');
    return current;
  }

  /** The parked streams, by name. */
  get parked(): ReadonlyMap<string, ParkedStream> {
    return this.#parked;
  }

  /** Looks at Redis anew, and forgets its state. @returns whether a generation is there. @throws Fault. */
  async load(): Promise<boolean> {
    const current = await this.#checkpoint.load();
    // Events applied anew, after a loss, may give another document at the same position.
    this.#mark = newMark();
    this.#documents.clear();
    if (current === undefined) return false;
    this.#generation = this.keys.generation(current.epoch);
    const parked = await readParked(this.redis, this.#generation.parked);
    this.#parked = new Map(parked.map((stream) => [stream.streamName, stream]));
    return true;
  }

  /** Folds events into their documents; nothing is written yet. @throws Fault. */
  async fold(events: readonly RecordedEvent[], wereHeldBack = false): Promise<FoldedBatch> {
    const documents = await this.#findDocuments(events);
    return foldBatch(this.projection, documents, events, wereHeldBack);
  }

  /** The part of a batch that writes the folded documents, and moves the checkpoint. */
  prepare(upTo: Position, folded: FoldedBatch = NOTHING_FOLDED): Section {
    const { checkpoint: current } = this;
    const { changes, parked, unparked } = folded;
    const isEmpty = changes.length + parked.length + unparked.length === 0;
    // Readers' memory counts as long as the checkpoint is the same: a change never leaves it so.
    if (upTo === current.position && !isEmpty) this.#mark = newMark();
    const applied = (current.applied ?? 0) + folded.applied;
    const next = { ...current, position: upTo, applied, mark: this.#mark };
    if (isEmpty) return this.#checkpoint.prepare(next);
    const {
      documents: documentsKey,
      counts: countsKey,
      index,
      parked: parkedKey,
    } = this.#generation;
    return this.#checkpoint.prepare(next, {
      ...{ documentsKey, countsKey, parkedKey },
      documents: changes,
      lists: changes.flatMap(({ added, removed }) => [
        ...removed.map((entry) => ({ act: 'remove', entry, key: index(entry.index) }) as const),
        ...added.map((entry) => ({ act: 'add', entry, key: index(entry.index) }) as const),
      ]),
      parked,
      unparked,
    });
  }

  /** The batch with this section was applied. */
  applied(section: Section, { changes, parked, unparked }: FoldedBatch = NOTHING_FOLDED): void {
    this.#checkpoint.applied(section);
    for (const { id, document } of changes) this.#documents.set(id, document);
    for (const streamName of unparked) this.#parked.delete(streamName);
    for (const stream of parked) this.#parked.set(stream.streamName, stream);
  }

  async #findDocuments(events: readonly RecordedEvent[]): Promise<Map<string, Document<unknown>>> {
    const found = new Map<string, Document<unknown>>();
    const missing: string[] = [];
    for (const id of this.#findIds(events)) {
      const document = this.#documents.get(id);
      if (document === undefined) missing.push(id);
      else found.set(id, document);
    }
    if (missing.length === 0) return found;
    const stored = await redisReply(this.redis.hmget(this.#generation.documents, ...missing));
    for (const [at, id] of missing.entries()) {
      const text = stored[at];
      if (typeof text === 'string') found.set(id, decodeDocument(this.projection, id, text));
    }
    return found;
  }

  #findIds(events: readonly RecordedEvent[]): Set<string> {
    const ids = new Set<string>();
    for (const event of events) {
      try {
        const id = findDocumentId(this.projection, event);
        if (id !== undefined) ids.add(id);
      } catch {
        // The fold meets the same, and parks the stream.
      }
    }
    return ids;
  }
}

const NOTHING_FOLDED: FoldedBatch = { changes: [], parked: [], unparked: [], applied: 0 };
