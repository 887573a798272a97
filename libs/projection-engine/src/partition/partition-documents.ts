import { LRUCache } from 'lru-cache';
import type { Position, RecordedEvent } from '#domain/event';
import { assertDefect, upTo } from '#platform';
import { loadScript, type Redis, redisReply } from '#redis';
import type { Section } from '../stored/apply-batch.js';
import { NOTHING } from '../stored/checkpoint.js';
import type { Document, Projection } from '../define/index.js';
import { decodeDocument } from '../stored/document.js';
import { findDocumentId } from '../stored/document-id.js';
import { FencedCheckpoint, newMark } from '../stored/fenced-checkpoint.js';
import { foldBatch, type FoldedBatch } from './fold-batch.js';
import type { GenerationKeys, PartitionKeys } from '../stored/keys.js';
import { type Fence, runFenced } from '../leases/leases.js';
import { type ParkedStream, readParked } from '../stored/parked-stream.js';

const promoteBuild = loadScript(new URL('../lua/promote-build-4.lua', import.meta.url));

interface PartitionDocumentsOptions {
  readonly projection: Projection<unknown>;
  readonly keys: PartitionKeys;
  readonly fence: Fence;
  /** The most documents that it keeps in memory. */
  readonly cachedDocuments: number;
}

/**
 * One read model in one partition, as the projector that holds it knows it: its checkpoint, its parked
 * streams, and the documents of the latest events. It feeds the generation that is being built while
 * there is one, else the one that answers. All of it is believed until a batch is fenced.
 */
export class PartitionDocuments {
  readonly projection: Projection<unknown>;
  readonly keys: PartitionKeys;
  readonly fence: Fence;
  readonly answering: FencedCheckpoint;
  readonly building: FencedCheckpoint;
  readonly #redis: Redis;
  readonly #documents: LRUCache<string, Document<unknown>>;
  #parked = new Map<string, ParkedStream>();
  #generation: GenerationKeys;
  #mark = newMark();

  constructor(redis: Redis, options: PartitionDocumentsOptions) {
    const { projection, keys, fence, cachedDocuments } = options;
    this.#redis = redis;
    this.projection = projection;
    this.keys = keys;
    this.fence = fence;
    this.answering = new FencedCheckpoint(redis, keys.checkpoint, fence);
    this.building = new FencedCheckpoint(redis, keys.building, fence);
    this.#documents = new LRUCache(upTo(cachedDocuments));
    this.#generation = keys.generation('');
  }

  get number(): number {
    return this.keys.number;
  }

  get isBuilding(): boolean {
    return this.building.current !== undefined;
  }

  /** Everything up to here is in the fed generation. */
  get position(): Position {
    return this.#fed.position;
  }

  /** The parked streams, by name. */
  get parked(): ReadonlyMap<string, ParkedStream> {
    return this.#parked;
  }

  /** Looks at Redis anew, and forgets its state. @throws Fault. */
  async load(): Promise<void> {
    await Promise.all([this.answering.load(), this.building.load()]);
    await this.#openGeneration();
  }

  /** Begins a new generation, beside the one that answers, if there is one. @throws Fault `conflict`. */
  async build(layoutId: string): Promise<void> {
    await this.building.begin(NOTHING, layoutId);
    await this.#openGeneration();
  }

  /** Lets the built generation answer. @throws Fenced; Fault. */
  async promote(): Promise<void> {
    const keys = [this.keys.building, this.keys.checkpoint, this.keys.leftovers];
    const args = [this.building.stored];
    await runFenced(this.#redis, this.fence, promoteBuild, { keys, args });
    await this.load();
  }

  /** Both checkpoints as they were left; empty where there is none. */
  get left(): readonly { readonly key: string; readonly stored: string }[] {
    return [
      { key: this.keys.checkpoint, stored: this.answering.stored },
      { key: this.keys.building, stored: this.building.stored },
    ];
  }

  /** Folds events into their documents; nothing is written yet. @throws Fault. */
  async fold(events: readonly RecordedEvent[], wereHeldBack = false): Promise<FoldedBatch> {
    const documents = await this.#findDocuments(events);
    return foldBatch(this.projection, documents, events, wereHeldBack);
  }

  /** The part of a batch that writes the folded documents, and moves the checkpoint. */
  prepare(upTo: Position, { changes, parked, unparked }: FoldedBatch = NOTHING_FOLDED): Section {
    const { current } = this.#fed;
    assertDefect(current !== undefined, 'a partition that was not opened');
    const isEmpty = changes.length + parked.length + unparked.length === 0;
    // Readers' memory counts as long as the checkpoint is the same: a change never leaves it so.
    if (upTo === current.position && !isEmpty) this.#mark = newMark();
    const next = { ...current, position: upTo, mark: this.#mark };
    if (isEmpty) return this.#fed.prepare(next);
    const { documents: documentsKey, index, parked: parkedKey } = this.#generation;
    return this.#fed.prepare(next, {
      documentsKey,
      documents: changes,
      lists: changes.flatMap(({ added, removed }) => [
        ...removed.map((entry) => ({ act: 'remove', entry, key: index(entry.index) }) as const),
        ...added.map((entry) => ({ act: 'add', entry, key: index(entry.index) }) as const),
      ]),
      parkedKey,
      parked,
      unparked,
    });
  }

  /** The batch with this section was applied. */
  applied(section: Section, { changes, parked, unparked }: FoldedBatch = NOTHING_FOLDED): void {
    this.#fed.applied(section);
    for (const { id, document } of changes) this.#documents.set(id, document);
    for (const streamName of unparked) this.#parked.delete(streamName);
    for (const stream of parked) this.#parked.set(stream.streamName, stream);
  }

  get #fed(): FencedCheckpoint {
    return this.isBuilding ? this.building : this.answering;
  }

  async #openGeneration(): Promise<void> {
    const { current } = this.#fed;
    // Events applied anew, after a loss, may give another document at the same position.
    this.#mark = newMark();
    this.#documents.clear();
    if (current === undefined) return;
    this.#generation = this.keys.generation(current.epoch);
    const parked = await readParked(this.#redis, this.#generation.parked);
    this.#parked = new Map(parked.map((stream) => [stream.streamName, stream]));
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
    const stored = await redisReply(this.#redis.hmget(this.#generation.documents, ...missing));
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

const NOTHING_FOLDED: FoldedBatch = { changes: [], parked: [], unparked: [] };
