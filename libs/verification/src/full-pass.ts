import { COMMAND_RECORDED, idOf, type Position, type RecordedEvent } from '#domain/event';
import { type FeedItem, Partitions, readLog } from '#event-store';
import { nameReadModel, readModelPattern } from '#projection-engine';
import type { IndexEntry, Recipe } from '#projection-engine/define';
import type { CheckedGeneration } from './generation.js';
import { compareDocument, findWanted } from './judge.js';
import type { VerificationOptions } from './options.js';
import type { Pass } from './passes.js';
import { Replay } from './replay.js';
import { walkDocuments, walkLists } from './walk.js';

/** By the id of a document, entries that lead to it, and that it may have nothing to do with. */
export type Suspects = Map<string, IndexEntry[]>;

/** A document as the walk found it, until the events have led to its revision. */
interface Awaited {
  readonly text: string;
  replay: Replay | undefined;
  /** Once the document is compared: its entries that the walk through the lists has not met. */
  unmet: IndexEntry[] | undefined;
}

/** The documents of one partition in a pass. */
interface PartitionPass {
  /** Its checkpoint when the verification began. */
  readonly begun: Position;
  readonly awaited: Map<string, Awaited>;
  readonly suspects: Suspects;
}

/**
 * One reading of the log, which compares all documents of a pass at the revisions that a walk has found, and then all
 * entries of their lists. Documents and lists change meanwhile, so that it names suspects and no differences: each of
 * them is compared by itself afterwards.
 */
export class FullPass {
  readonly #partitions: Partitions;
  readonly #byNumber = new Map<number, PartitionPass>();
  #compared = 0;

  constructor(
    private readonly options: VerificationOptions,
    private readonly recipe: Recipe,
    private readonly pass: Pass,
  ) {
    this.#partitions = new Partitions(options.partitions.length);
    for (const { number, begun } of pass.generations) {
      const found = {
        awaited: new Map<string, Awaited>(),
        suspects: new Map<string, IndexEntry[]>(),
      };
      this.#byNumber.set(number, { begun: begun.position, ...found });
    }
  }

  /** How many documents were found sound, or suspect, so far. */
  get compared(): number {
    return this.#compared;
  }

  /**
   * @param onBatch called as the reading goes on.
   * @returns suspects by the number of their partition. @throws Fault; the signal's reason.
   */
  async run(onBatch: () => void): Promise<ReadonlyMap<number, Suspects>> {
    const { redis, signal } = this.options;
    for (const generation of this.pass.generations) {
      for await (const [id, text] of walkDocuments(redis, generation)) {
        if (this.pass.has(generation, id)) this.#await(generation, id, text);
      }
      signal.throwIfAborted();
    }
    await this.#readEvents(onBatch);
    await this.#readLists();
    for (const { awaited, suspects } of this.#byNumber.values()) {
      for (const [id, { unmet }] of awaited) if (unmet?.length !== 0) suspect(suspects, id);
    }
    return new Map([...this.#byNumber].map(([number, { suspects }]) => [number, suspects]));
  }

  /** The documents that were found by no suspicion to be other than they should be. */
  countSound(): number {
    let sound = 0;
    for (const { awaited, suspects } of this.#byNumber.values()) {
      for (const id of awaited.keys()) if (!suspects.has(id)) sound += 1;
    }
    return sound;
  }

  #await({ number }: CheckedGeneration, id: string, text: string): void {
    const wanted = findWanted({ text, parkedAt: undefined });
    const replay = new Replay(this.recipe, id, wanted);
    this.#byNumber.get(number)?.awaited.set(id, { text, replay, unmet: undefined });
  }

  async #readEvents(onBatch: () => void): Promise<void> {
    const { store, projection, signal } = this.options;
    const { categories } = projection;
    const { buckets } = this.pass;
    const log = readLog({ store, categories, ...(buckets && { buckets }), signal });
    for await (const { events } of log) {
      for (const item of events) this.#take(item);
      onBatch();
    }
    signal.throwIfAborted();
  }

  #take(item: FeedItem): void {
    const partition = this.#byNumber.get(this.#partitions.find(idOf(item.streamName)));
    if (partition === undefined) return;
    const { awaited, suspects, begun } = partition;
    const id = this.#findId(item);
    if (id === undefined) return;
    const document = awaited.get(id);
    const isApplied = item.position <= begun;
    if (document?.replay === undefined || 'undecodable' in item) {
      // An event that a document ought to have by its checkpoint, and has not.
      if (isApplied) suspect(suspects, id);
      return;
    }
    document.replay.take(item);
    if (document.replay.isThere) this.#compare(id, document, partition);
  }

  #compare(id: string, document: Awaited, { suspects }: PartitionPass): void {
    const { replay, text } = document;
    if (replay === undefined) return;
    const differences = compareDocument(this.options.projection, id, text, replay);
    if (differences.length > 0) suspect(suspects, id);
    document.unmet = [...(replay.rendered?.entries ?? [])];
    // A folded state is large, and is needed no more.
    document.replay = undefined;
    this.#compared += 1;
  }

  async #readLists(): Promise<void> {
    const { redis, projection, signal } = this.options;
    const [first] = this.pass.generations;
    if (first === undefined) return;
    const pattern = readModelPattern(first.begun.layoutId, nameReadModel(projection));
    await walkLists(redis, pattern, this.pass.generations, (listed) => {
      const { generation, index, member, score } = listed;
      const id = this.recipe.findId(index, member);
      const partition = this.#byNumber.get(generation.number);
      if (partition === undefined || !this.pass.has(generation, id)) return;
      const unmet = partition.awaited.get(id)?.unmet ?? [];
      const at = unmet.findIndex((entry) => isAt(entry, listed));
      if (at === -1) suspect(partition.suspects, id, { index, member, score });
      else unmet.splice(at, 1);
    });
    signal.throwIfAborted();
  }

  #findId(item: FeedItem): string | undefined {
    const { recipe } = this;
    if (recipe.of === 'stream') return idOf(item.streamName);
    if ('undecodable' in item || item.type === COMMAND_RECORDED) return undefined;
    return recipe.find(item satisfies RecordedEvent);
  }
}

function isAt(entry: IndexEntry, { index, member, score }: IndexEntry): boolean {
  return (
    entry.member === member &&
    entry.score === score &&
    entry.index.length === index.length &&
    entry.index.every((part, at) => part === index[at])
  );
}

function suspect(suspects: Suspects, id: string, entry?: IndexEntry): void {
  const entries = suspects.get(id) ?? [];
  if (entry !== undefined) entries.push(entry);
  suspects.set(id, entries);
}
