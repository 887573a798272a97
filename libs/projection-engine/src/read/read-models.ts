import type { Position } from '#domain/event';
import { findGenerations, type ProjectionActs } from '#domain/projection';
import { Partitions } from '#event-store';
import { type Redis, redisReply, requireMaster } from '#redis';
import { decodeCheckpoint, requireBuilt } from '../stored/checkpoint.js';
import type { Projection } from '../define/index.js';
import { DocumentReader } from './document-reader.js';
import { findReadModel, type LedgerIdentity, type ReadModel } from '../stored/keys.js';
import { type ParkedStream, readParked } from '../stored/parked-stream.js';
import { connectForReading } from '../stored/connections.js';
import { findObstacle, type Obstacle } from '../stored/obstacles.js';
import { createWatermark, type WaitOptions, type Watermark } from './watermark.js';

/** A stream of which a read model could not apply an event. */
export interface ParkedInReadModel extends ParkedStream {
  /** The name of the projection. */
  readonly readModel: string;
}

interface ReadModelsOptions {
  /** The address of Redis. */
  readonly redis: string;
  /** The identity of the event store by `requireNamespace`. */
  readonly identity: LedgerIdentity;
  /** The projections that are asked. */
  readonly projections: readonly Projection<unknown>[];
  /** Those for which a wait is; all of them, unless given. */
  readonly awaited?: readonly Projection<unknown>[];
}

/**
 * The read models of a release, as a program reads them. Every call is bounded in time and throws Fault
 * `unavailable` (retryable) when Redis is out of reach, and while a read model is being built.
 * Nothing is filtered by tenant: who asks by id compares `state.appId`.
 */
export class ReadModels {
  /** Into which partitions the documents are divided. */
  readonly partitions: Partitions;
  readonly #redis: Redis;
  readonly #identity: LedgerIdentity;
  readonly #opened: readonly { readonly name: string; readonly readModel: ReadModel }[];
  readonly #watermark: Watermark;
  readonly #queries = new Map<string, unknown>();

  /** Connects. It does not wait for Redis: calls do, within their limit. */
  constructor({ redis, identity, projections, awaited = projections }: ReadModelsOptions) {
    this.#redis = connectForReading(redis);
    this.#identity = identity;
    this.partitions = new Partitions(identity.partitions);
    this.#watermark = createWatermark(
      this.#redis,
      awaited.map((projection) => findReadModel(projection, identity)),
    );
    this.#opened = projections.map((projection) => {
      const readModel = findReadModel(projection, identity);
      const reader = new DocumentReader(this.#redis, projection, readModel, this.partitions);
      this.#queries.set(projection.name, projection.queries(reader));
      return { name: projection.name, readModel };
    });
  }

  /** The queries of one of the projections that this was opened with, found by its name. */
  ask<State, Queries>({ name }: Projection<State, Queries>): Queries {
    const found = this.#queries.get(name);
    if (found === undefined) throw new RangeError(`${name} was not opened`);
    // It was made by the projection of this name.
    return found as Queries;
  }

  /**
   * Everything up to this position is in the partition, or in all of them; sorts before all positions
   * when nothing is.
   */
  watermark(partition?: number): Promise<Position> {
    return this.#watermark.read(partition);
  }

  /** Resolves when the partitions have reached a position. @throws Fault `unavailable` in time-out. */
  waitFor(position: Position, options: WaitOptions): Promise<void> {
    return this.#watermark.waitFor(position, options);
  }

  /** The streams whose read model is not up to date, since an event could not be applied. */
  async parked(): Promise<ParkedInReadModel[]> {
    const reading = this.#opened.map(async ({ name, readModel }) => {
      const parked = await readAllParked(this.#redis, readModel);
      return parked.map((stream) => ({ ...stream, readModel: name }));
    });
    return (await Promise.all(reading)).flat();
  }

  /** Whether all of them answer, in all partitions. @throws Fault `unavailable`. */
  async requireBuilt(): Promise<void> {
    await Promise.all(this.#opened.map(({ readModel }) => readCheckpoints(this.#redis, readModel)));
  }

  /**
   * The reasons why read models do not answer until an operator acts. @throws Fault.
   *
   * @param readActs reads the acts on a projection; it throws Fault.
   */
  async findObstacles(
    readActs: (projection: string) => Promise<ProjectionActs>,
  ): Promise<Obstacle[]> {
    const place = { redis: this.#redis, identity: this.#identity };
    const finding = this.#opened.map(async ({ name: projection, readModel: { name } }) =>
      findObstacle(place, name, findGenerations(await readActs(projection), name)),
    );
    return (await Promise.all(finding)).filter((each) => each !== undefined);
  }

  /** Whether Redis answers. @throws Fault `unavailable`. */
  ping(): Promise<void> {
    return requireMaster(this.#redis);
  }

  async close(): Promise<void> {
    this.#watermark.close();
    this.#redis.disconnect();
  }
}

export function createReadModels(options: ReadModelsOptions): ReadModels {
  return new ReadModels(options);
}

/** @throws Fault `unavailable` unless the read model answers in every partition. */
async function readCheckpoints(redis: Redis, { partitions }: ReadModel) {
  return Promise.all(
    partitions.map(async (keys) => {
      const stored = await redisReply(redis.get(keys.checkpoint));
      return { keys, checkpoint: requireBuilt(decodeCheckpoint(stored)) };
    }),
  );
}

async function readAllParked(redis: Redis, readModel: ReadModel): Promise<ParkedStream[]> {
  const found = await readCheckpoints(redis, readModel);
  const parked = await Promise.all(
    found.map(({ keys, checkpoint: { epoch } }) =>
      readParked(redis, keys.generation(epoch).parked),
    ),
  );
  return parked.flat();
}
