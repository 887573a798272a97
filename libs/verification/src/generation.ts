import type { Position } from '#domain/event';
import { assertDefect, Fault } from '#platform';
import {
  type Checkpoint,
  decodeCheckpoint,
  type GenerationKeys,
  type PlacedInPartition,
} from '#projection-engine';
import type { IndexEntry } from '#projection-engine/define';
import { type Redis, redisReply } from '#redis';

/** A document as one moment found it, with the checkpoint of that moment. */
export interface Snapshot {
  /** All events up to here are applied, but for those of parked streams. */
  readonly position: Position;
  /** The stored text; undefined where there is no document. */
  readonly text: string | undefined;
  /** The revision at which its stream is parked; undefined where it is not. */
  readonly parkedAt: number | undefined;
  /** The entries that stand in lists, of those asked for. */
  readonly entries: readonly IndexEntry[];
}

/** Many documents as one moment found them. */
export interface ManySnapshot {
  readonly position: Position;
  readonly texts: ReadonlyMap<string, string | null>;
  /** The revisions at which streams are parked. */
  readonly parked: ReadonlyMap<string, number>;
}

/** A generation in one partition that is read while it may be swapped, dropped or lost. */
export class CheckedGeneration {
  readonly keys: GenerationKeys;

  private constructor(
    private readonly redis: Redis,
    private readonly partition: PlacedInPartition,
    /** As it was when the verification began. */
    readonly begun: Checkpoint,
  ) {
    this.keys = partition.keys.generation(begun.epoch);
  }

  /** @throws Fault `conflict` where there is no such generation; Fault of Redis. */
  static async open(redis: Redis, partition: PlacedInPartition): Promise<CheckedGeneration> {
    const begun = decodeCheckpoint(await redisReply(redis.get(partition.checkpointKey)));
    if (begun === undefined) throw goneFault(partition.number);
    return new CheckedGeneration(redis, partition, begun);
  }

  /** Opens a generation in all of these partitions. @throws as `open` does. */
  static openAll(
    redis: Redis,
    partitions: readonly PlacedInPartition[],
  ): Promise<CheckedGeneration[]> {
    return Promise.all(partitions.map((partition) => CheckedGeneration.open(redis, partition)));
  }

  get number(): number {
    return this.partition.number;
  }

  /** The prefix of the keys of all of its lists. */
  get listPrefix(): string {
    return this.keys.index(['']);
  }

  /** Reads a document, and those of the entries that are there, in one moment. @throws Fault. */
  async read(
    id: string,
    streamName: string,
    entries: readonly IndexEntry[] = [],
  ): Promise<Snapshot> {
    const { documents, parked, index } = this.keys;
    const asked = this.redis.multi();
    asked.get(this.partition.checkpointKey).hget(documents, id).hget(parked, streamName);
    for (const entry of entries) asked.zscore(index(entry.index), entry.member);
    const [checkpoint, text, parkedText, ...scores] = await this.#run<string | null>(asked);
    const found = entries.flatMap((entry, at) => {
      const score = scores[at] ?? null;
      return score === null ? [] : { ...entry, score: Number(score) };
    });
    return {
      position: this.#requireSame(checkpoint),
      text: text ?? undefined,
      parkedAt: readRevision(parkedText),
      entries: found,
    };
  }

  /** Reads some documents and all parked streams in one moment. @throws Fault. */
  async readMany(ids: readonly string[]): Promise<ManySnapshot> {
    const { documents, parked } = this.keys;
    const asked = this.redis.multi().get(this.partition.checkpointKey);
    asked.hmget(documents, ...ids).hgetall(parked);
    const [checkpoint, texts, parkedTexts] = await this.#run<unknown>(asked);
    // The answers are those of GET, HMGET and HGETALL.
    const position = this.#requireSame(checkpoint as string | null);
    const found = texts as readonly (string | null)[];
    const byName = Object.entries(parkedTexts as Readonly<Record<string, string>>);
    return {
      position,
      texts: new Map(ids.map((id, at) => [id, found[at] ?? null])),
      parked: new Map(byName.map(([name, text]) => [name, readRevision(text) ?? 0])),
    };
  }

  /** The number of its documents. @throws Fault of Redis. */
  countDocuments(): Promise<number> {
    return redisReply(this.redis.hlen(this.keys.documents));
  }

  /** The number of its parked streams. @throws Fault of Redis. */
  countParked(): Promise<number> {
    return redisReply(this.redis.hlen(this.keys.parked));
  }

  /** So many ids of its documents, or all of them, each once, by chance. @throws Fault of Redis. */
  async drawIds(count: number): Promise<string[]> {
    if (count < 1) return [];
    // Without values, the answer is a list of fields.
    return (await redisReply(this.redis.hrandfield(this.keys.documents, count))) as string[];
  }

  /** @throws Fault `conflict` where it is not there any more; Fault of Redis. */
  async requireThere(): Promise<void> {
    this.#requireSame(await redisReply(this.redis.get(this.partition.checkpointKey)));
  }

  #requireSame(stored: string | null | undefined): Position {
    const now = decodeCheckpoint(stored);
    if (now?.epoch !== this.begun.epoch) throw goneFault(this.number);
    return now.position;
  }

  async #run<Reply>(asked: ReturnType<Redis['multi']>): Promise<Reply[]> {
    const replies = await redisReply(asked.exec());
    assertDefect(replies !== null, 'nothing was watched');
    return Promise.all(
      // A command of ours has the reply of its kind.
      replies.map(([error, reply]) =>
        redisReply(error === null ? Promise.resolve(reply as Reply) : Promise.reject(error)),
      ),
    );
  }
}

function goneFault(partition: number): Fault {
  const message =
    `the generation is not there any more in partition ${partition}: it was swapped, dropped or lost with Redis.` +
    ' List the generations, and verify again.';
  return new Fault('conflict', message, { retryable: false });
}

/** Of a parked stream as it is stored. */
function readRevision(text: string | null | undefined): number | undefined {
  if (text === null || text === undefined) return undefined;
  return (JSON.parse(text) as { readonly revision: number }).revision;
}
