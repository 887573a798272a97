import type { Position } from '#domain/event';
import { Partitions } from '#event-store';
import { type Redis, redisReply, requireMaster } from '#redis';
import { decodeCheckpoint, requireBuilt } from '../stored/checkpoint.js';
import type { Projection } from '../define/index.js';
import { DocumentReader } from './document-reader.js';
import { findReadModel, type LedgerIdentity, type ReadModel } from '../stored/keys.js';
import { type ParkedStream, readParked } from '../stored/parked-stream.js';
import { connectForReading } from '../stored/connections.js';
import { createWatermark, type WaitOptions } from './watermark.js';

/**
 * The read models of a release, as a program reads them. Every call is bounded in time and throws Fault
 * `unavailable` (retryable) when Redis is out of reach, and while a read model is being built.
 * Nothing is filtered by tenant: who asks by id compares `state.appId`.
 */
export interface ReadModels {
  /** Into which partitions the documents are divided. */
  readonly partitions: Partitions;
  /** The queries of one of the projections that this was opened with, found by its name. */
  ask<State, Queries>(projection: Projection<State, Queries>): Queries;
  /**
   * Everything up to this position is in the partition, or in all of them; sorts before all positions
   * when nothing is.
   */
  watermark(partition?: number): Promise<Position>;
  /** Resolves when the partitions have reached a position. @throws Fault `unavailable` in time-out. */
  waitFor(position: Position, options: WaitOptions): Promise<void>;
  /** The streams whose read model is not up to date, since an event could not be applied. */
  parked(): Promise<ParkedInReadModel[]>;
  /** Whether all of them answer, in all partitions. @throws Fault `unavailable`. */
  requireBuilt(): Promise<void>;
  /** Whether Redis answers. @throws Fault `unavailable`. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

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

/** Connects to the read models. It does not wait for Redis: calls do, within their limit. */
export function createReadModels(options: ReadModelsOptions): ReadModels {
  const { identity, projections, awaited = projections } = options;
  const redis = connectForReading(options.redis);
  const partitions = new Partitions(identity.partitions);
  const readModels = projections.map((projection) => findReadModel(projection, identity));
  const watermark = createWatermark(
    redis,
    awaited.map((projection) => findReadModel(projection, identity)),
  );
  const queries = new Map<string, unknown>();
  for (const [at, projection] of projections.entries()) {
    const readModel = readModels[at];
    if (readModel === undefined) continue;
    const reader = new DocumentReader(redis, projection, readModel, partitions);
    queries.set(projection.name, projection.queries(reader));
  }
  return {
    partitions,
    ask: <Queries>({ name }: Projection<never, Queries>) => {
      const found = queries.get(name);
      if (found === undefined) throw new RangeError(`${name} was not opened`);
      // It was made by the projection of this name.
      return found as Queries;
    },
    watermark: (partition) => watermark.read(partition),
    waitFor: (position, waitOptions) => watermark.waitFor(position, waitOptions),
    parked: async () => {
      const reading = readModels.map(async (each, at) => {
        const readModel = projections[at]?.name ?? '';
        return (await readAllParked(redis, each)).map((stream) => ({ ...stream, readModel }));
      });
      return (await Promise.all(reading)).flat();
    },
    requireBuilt: async () => {
      await Promise.all(readModels.map((readModel) => readCheckpoints(redis, readModel)));
    },
    ping: () => requireMaster(redis),
    close: async () => {
      watermark.close();
      redis.disconnect();
    },
  };
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
