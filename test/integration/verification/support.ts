import { Redis } from 'ioredis';
import { decodeCheckpoint, findReadModel, type PlacedInPartition } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import { projections } from '#projections';
import {
  type ReadModelDifference,
  type VerificationReport,
  verifyFull,
  type VerificationOptions,
  verifySample,
} from '#verification';
import { writeHistories } from '../../bench/histories.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { startProjector, TestStore } from '../projection-engine/support.js';

const PARTITIONS = 3;

/** A small ledger whose read models are built: no projector runs any more, unless a test starts one. */
export class BuiltLedger {
  readonly redis: Redis;

  private constructor(
    readonly store: TestStore,
    private readonly server: RunningRedis,
    readonly subscriptionIds: readonly string[],
  ) {
    this.redis = new Redis(server.url);
  }

  static async build(
    built: readonly Projection<unknown>[] = projections,
    subscriptions = 8,
  ): Promise<BuiltLedger> {
    const [server, store] = await Promise.all([
      startRedis(),
      TestStore.start({ partitions: PARTITIONS }),
    ]);
    const ids = await writeHistories(store.client, subscriptions, { payments: 3 });
    const ledger = new BuiltLedger(store, server, ids);
    await ledger.project(built);
    return ledger;
  }

  get redisUrl(): string {
    return this.server.url;
  }

  /** Applies all events. */
  async project(built: readonly Projection<unknown>[] = projections): Promise<void> {
    const projector = await startProjector(this.store, this.server.url, { projections: built });
    await projector.stop();
  }

  partitions(projection: Projection<unknown>): PlacedInPartition[] {
    const { partitions } = findReadModel(projection, this.store.identity);
    return partitions.map((keys) => ({
      ...{ number: keys.number, checkpointKey: keys.checkpoint, keys },
    }));
  }

  options(projection: Projection<unknown>): VerificationOptions {
    const { redis, store } = this;
    return {
      ...{ redis, store: store.client, projection, partitions: this.partitions(projection) },
      signal: new AbortController().signal,
    };
  }

  full(projection: Projection<unknown>, documentsOfAPass?: number): Promise<VerificationReport> {
    return verifyFull({ ...this.options(projection), documentsOfAPass });
  }

  sample(projection: Projection<unknown>, ids?: readonly string[]): Promise<VerificationReport> {
    const partitions = this.partitions(projection);
    const given = ids && new Map(partitions.map(({ number }) => [number, ids]));
    return verifySample({ ...this.options(projection), count: 1_000, ids: given });
  }

  /** The keys of the generation that answers, in the partition of a document. */
  async findKeys(projection: Projection<unknown>, id: string) {
    for (const { keys } of this.partitions(projection)) {
      const { epoch = '' } = decodeCheckpoint(await this.redis.get(keys.checkpoint)) ?? {};
      const generation = keys.generation(epoch);
      if ((await this.redis.hexists(generation.documents, id)) === 1) return generation;
    }
    throw new Error(`${id} has no document`);
  }

  async stop(): Promise<void> {
    this.redis.disconnect();
    await Promise.all([this.server.stop(), this.store.stop()]);
  }
}

/** Differences in one line each, without the values. */
export function nameDifferences({ differences }: VerificationReport): string[] {
  return differences.map(
    ({ kind, id, field }: ReadModelDifference) => `${kind} of ${id}: ${field}`,
  );
}
