import { setTimeout as sleep } from 'node:timers/promises';
import type { LedgerStore } from '#event-store';
import { type Redis, redisReply } from '#redis';
import type { Projection } from '../define/index.js';
import { GATE_SAMPLE, TICK_MS, UNAPPLIED_LIMIT_MS } from '../limits.js';
import { decodeCheckpoint } from '../stored/checkpoint.js';
import { findOtherVersion, readGenerations } from '../stored/generations.js';
import {
  type LedgerIdentity,
  openReadModel,
  type GenerationPlace,
  type ReadModel,
} from '../stored/keys.js';
import { readParked } from '../stored/parked-stream.js';
import { placedIn, type PlacedInPartition } from '../stored/placed-in-partition.js';
import { compareCounts } from './compare-counts.js';

/** A generation to compare with the events. */
export interface CheckedStreams {
  readonly store: LedgerStore;
  readonly redis: Redis;
  readonly projection: Projection<unknown>;
  readonly partitions: readonly PlacedInPartition[];
  /** The generation that answers: some of the documents are drawn from it, since they may be missing here. */
  readonly answering?: readonly PlacedInPartition[] | undefined;
  /** The number of documents to draw. */
  readonly count: number;
  readonly signal: AbortSignal;
}

/** @returns how many documents were compared, and a sentence for each difference. @throws Fault. */
export type CheckStreams = (checked: CheckedStreams) => Promise<Checked>;

interface Checked {
  readonly checked: number;
  readonly findings: readonly string[];
}

export interface GateFindingsParts {
  readonly store: LedgerStore;
  readonly redis: Redis;
  readonly identity: LedgerIdentity;
  readonly checkStreams: CheckStreams;
}

interface AnsweringGeneration {
  readonly partitions: readonly PlacedInPartition[];
  readonly isOtherVersion: boolean;
}

/** Looks for reasons against a generation of one read model (rules/read-models 4). Calls throw Fault. */
export class GateFindings {
  readonly #readModel: ReadModel;

  constructor(
    private readonly parts: GateFindingsParts,
    private readonly projection: Projection<unknown>,
    name: string,
    private readonly signal: AbortSignal,
  ) {
    this.#readModel = openReadModel(name, parts.identity);
  }

  /** Whether each partition has this generation in this place. */
  async isEverywhere(place: GenerationPlace, generation: number | undefined): Promise<boolean> {
    const found = await readGenerations(this.parts.redis, this.#readModel);
    return found.every(({ places }) => places[place]?.generation === generation);
  }

  /** Whether a built generation has everything that the store had a moment ago, in each partition. */
  async isCaughtUp(generation: number): Promise<boolean> {
    const head = await this.parts.store.headPosition();
    const isThere = await this.#tryFor(async () => {
      const found = await readGenerations(this.parts.redis, this.#readModel);
      const built = found.map(({ places }) => places.building);
      const isBehind = built.some(
        (each) => each?.generation !== generation || each.position < head,
      );
      return isBehind ? undefined : true;
    });
    return isThere === true;
  }

  /** All that the gate finds against the built generation. */
  async findAll(): Promise<Checked> {
    const built = this.#placed('building');
    const answering = await this.#findAnswering();
    const counted = answering === undefined ? [] : await this.#compareCounts(built, answering);
    const parked = await this.#findParked(built, answering);
    const { checked, findings } = await this.sample('building', answering);
    return { checked, findings: [...counted, ...parked, ...findings] };
  }

  /** Compares documents of a generation that are drawn by chance; none where the projection has no recipe. */
  async sample(place: GenerationPlace, answering?: AnsweringGeneration): Promise<Checked> {
    const { checkStreams, store, redis } = this.parts;
    const { projection, signal } = this;
    if (projection.recipe === undefined) return { checked: 0, findings: [] };
    const drawn = { partitions: this.#placed(place), answering: answering?.partitions };
    return checkStreams({ store, redis, projection, ...drawn, count: GATE_SAMPLE, signal });
  }

  /** Our own generation that answers, or that of another version; undefined where none does any more. */
  async #findAnswering(): Promise<AnsweringGeneration | undefined> {
    const { redis, identity } = this.parts;
    const own = await readGenerations(redis, this.#readModel);
    if (own.every(({ places }) => places.checkpoint !== undefined)) {
      return { partitions: this.#placed('checkpoint'), isOtherVersion: false };
    }
    const other = await findOtherVersion(redis, identity, this.#readModel.name);
    return other && { partitions: placedIn(other, 'checkpoint'), isOtherVersion: true };
  }

  async #compareCounts(
    built: readonly PlacedInPartition[],
    { partitions, isOtherVersion }: AnsweringGeneration,
  ): Promise<string[]> {
    const { changedLists = [] } = this.projection;
    const options = { exempt: isOtherVersion ? changedLists : [], isOtherVersion };
    const comparisons = built.map(async (each, at) => {
      const answering = partitions[at];
      if (answering === undefined) return [];
      const pair = { built: each, answering };
      const ask = () => compareCounts(this.parts.redis, pair, options);
      const differences = await this.#tryFor(ask);
      // A former release may have stopped, or count other events: its counts say nothing then.
      if (differences !== undefined || isOtherVersion) return differences ?? [];
      return [`partition ${each.number} has not applied as many events as the one that answers`];
    });
    return (await Promise.all(comparisons)).flat();
  }

  async #findParked(
    built: readonly PlacedInPartition[],
    answering: AnsweringGeneration | undefined,
  ): Promise<string[]> {
    const own = await this.#readParked(built);
    const others = await this.#readParked(answering?.partitions ?? []);
    return [...own].filter((name) => !others.has(name)).map((name) => `${name} is parked`);
  }

  async #readParked(partitions: readonly PlacedInPartition[]): Promise<Set<string>> {
    const { redis } = this.parts;
    const reading = partitions.map(async ({ keys, checkpointKey }) => {
      const current = decodeCheckpoint(await redisReply(redis.get(checkpointKey)));
      return current === undefined ? [] : readParked(redis, keys.generation(current.epoch).parked);
    });
    return new Set((await Promise.all(reading)).flat().map(({ streamName }) => streamName));
  }

  /** Asks again until there is an answer, for a bounded time. @returns undefined in time-out. */
  async #tryFor<T>(ask: () => Promise<T | undefined>): Promise<T | undefined> {
    const endsAtMs = performance.now() + UNAPPLIED_LIMIT_MS;
    for (;;) {
      const answer = await ask();
      if (answer !== undefined || performance.now() >= endsAtMs) return answer;
      await sleep(TICK_MS / 10, undefined, { signal: this.signal });
    }
  }

  #placed(place: GenerationPlace): readonly PlacedInPartition[] {
    return placedIn(this.#readModel, place);
  }
}
