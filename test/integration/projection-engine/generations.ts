import { Redis } from 'ioredis';
import {
  findGenerations,
  type Generations,
  projectionAggregate,
  type ProjectionCommand,
} from '#domain/projection';
import { createCommandExecutor } from '#event-store';
import { newUuid, wallClock } from '#platform';
import {
  nameReadModel,
  openReadModel,
  PLACES,
  readGenerations,
  type ReadModels,
} from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import { subscriptions } from '#projections';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import {
  nameId,
  openReadModels,
  startProjector,
  subscriptionCanceled,
  subscriptionCreated,
  TestStore,
} from './support.js';

export const PARTITIONS = 2;
const DAY_MS = 86_400_000;
const WAIT = { timeoutMs: 30_000 };

type Projector = Awaited<ReturnType<typeof startProjector>>;
type ProjectorOptions = NonNullable<Parameters<typeof startProjector>[2]>;

/** An act of an operator, without the parts that all acts have. */
type Act =
  | { readonly kind: 'RequestRebuild'; readonly hold?: boolean; readonly maxPerSecond?: number }
  | { readonly kind: 'SwapGeneration'; readonly anyway?: boolean }
  | { readonly kind: 'DropGeneration'; readonly generation: number }
  | { readonly kind: 'RollBackGeneration' | 'PauseRebuild' | 'ResumeRebuild' };

/** The generations of a read model in a place, partition by partition; `-` where there is none. */
type Placed = { readonly [place in (typeof PLACES)[number]]?: number };

/** A ledger with one read model, of subscriptions, and an operator who acts on it. */
export class GenerationsLedger {
  readonly readModels: ReadModels;
  readonly ids: readonly string[];
  readonly #projectors: Projector[] = [];

  private constructor(
    readonly server: RunningRedis,
    readonly redis: Redis,
    readonly store: TestStore,
    count: number,
  ) {
    this.readModels = openReadModels(store, server.url, [subscriptions]);
    this.ids = Array.from({ length: count }, (_, number) =>
      nameId(
        'sub',
        `${number}`,
        Math.floor((number * 256) / count)
          .toString(16)
          .padStart(2, '0'),
      ),
    );
  }

  /** With so many subscriptions, each of which was created. */
  static async start(count = 12): Promise<GenerationsLedger> {
    const [server, store] = await Promise.all([
      startRedis(),
      TestStore.start({ partitions: PARTITIONS }),
    ]);
    const ledger = new GenerationsLedger(server, new Redis(server.url), store, count);
    for (const id of ledger.ids) {
      await store.append(`subscription-${id}`, [subscriptionCreated(id)]);
    }
    return ledger;
  }

  /** Starts a projector of subscriptions, unless others are given, and waits until it is ready. */
  async project(options: ProjectorOptions = {}): Promise<Projector> {
    const own = { projections: [subscriptions], ...options };
    const projector = await startProjector(this.store, this.server.url, own);
    this.#projectors.push(projector);
    return projector;
  }

  /** Decides an act. @returns its outcome: `accepted`, or the code of the rejection. */
  async act(
    { kind, ...given }: Act,
    projection: Projection<unknown> = subscriptions,
  ): Promise<string> {
    const readModel = nameReadModel(projection);
    const common = { readModel, reason: 'a test', now: wallClock.now(), formerKeptMs: DAY_MS };
    const usual = { hold: false, maxPerSecond: null, anyway: false };
    // All parts of all acts: each takes its own.
    const command = { kind, ...usual, ...common, ...given } as unknown as ProjectionCommand;
    const commands = createCommandExecutor(this.store.client);
    const context = { appId: '', environment: 'production', actor: 'operator:test' } as const;
    const now = wallClock.now();
    const result = await commands.execute(projectionAggregate, projection.name, command, {
      ...{ ...context, now, correlationId: newUuid() },
    });
    return result.accepted ? 'accepted' : result.rejection.code;
  }

  /** The generations by the acts. */
  async acts(projection: Projection<unknown> = subscriptions): Promise<Generations> {
    const commands = createCommandExecutor(this.store.client);
    const { state } = await commands.load(projectionAggregate, projection.name);
    return findGenerations(state, nameReadModel(projection));
  }

  /** The generations in Redis, as a text for each partition, such as `2 - 1`: they answer, are built and are kept. */
  async places(projection: Projection<unknown> = subscriptions): Promise<string[]> {
    const readModel = openReadModel(nameReadModel(projection), this.store.identity);
    const found = await readGenerations(this.redis, readModel);
    return found.map(({ places }) =>
      PLACES.map((place) => String(places[place]?.generation ?? '-')).join(' '),
    );
  }

  /** How far the generation is that is built, partition by partition; empty where it has not begun. */
  async builtPositions(): Promise<(string | undefined)[]> {
    const readModel = openReadModel(nameReadModel(subscriptions), this.store.identity);
    const found = await readGenerations(this.redis, readModel);
    return found.map(({ places }) => places.building?.position);
  }

  /** Waits until each partition stands so. */
  async untilPlaced(
    { checkpoint, building, former }: Placed,
    projection: Projection<unknown> = subscriptions,
  ): Promise<void> {
    const text = [checkpoint, building, former].map((each) => String(each ?? '-')).join(' ');
    let found: string[] = [];
    const isPlaced = async () => {
      found = await this.places(projection);
      return found.every((each) => each === text);
    };
    await eventually(isPlaced, { limitMs: 30_000, what: text }).catch(async (error: unknown) => {
      const acts = JSON.stringify(await this.acts(projection));
      throw new Error(`${String(error)}: ${found.join(', ')} by ${acts}`);
    });
  }

  /** Waits until the gate has spoken of the generation that is built. @returns its findings. */
  async untilJudged(projection: Projection<unknown> = subscriptions): Promise<readonly string[]> {
    let findings: readonly string[] = [];
    const isJudged = async () => {
      const { building } = await this.acts(projection);
      if (building?.gate?.kind === 'held') ({ findings } = building.gate);
      return building !== null && building.gate !== null;
    };
    await eventually(isJudged, { limitMs: 30_000, what: 'the word of the gate' });
    return findings;
  }

  /** Appends another event to each subscription, and waits until readers see it. @returns the last position. */
  async change(event: Parameters<TestStore['append']>[1][number] = subscriptionCanceled) {
    let last = '';
    for (const id of this.ids) last = await this.store.append(`subscription-${id}`, [event]);
    await this.readModels.waitFor(last, WAIT);
    return last;
  }

  /** The revisions of all documents, each once; undefined where one is missing. */
  async revisions(readModels = this.readModels): Promise<(number | undefined)[]> {
    const queries = readModels.ask(subscriptions);
    const found = await Promise.all(this.ids.map((id) => queries.byId(id)));
    return [...new Set(found.map((document) => document?.revision))];
  }

  /** Waits until all read models answer. */
  async untilBuilt(readModels = this.readModels): Promise<void> {
    const isBuilt = () =>
      readModels.requireBuilt().then(
        () => true,
        () => false,
      );
    await eventually(isBuilt, { limitMs: 30_000, what: 'an answer' });
  }

  /** How many generations have keys in Redis, in all partitions together. */
  async countKept(projection: Projection<unknown> = subscriptions): Promise<number> {
    const keys = await this.redis.keys(`*:rm5:${nameReadModel(projection)}:*:*`);
    const generations = keys.map((key) => /^.*:rm5:[^:]+:[^:]+/.exec(key)?.[0]);
    return new Set(generations).size;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#projectors.map((each) => each.stop().catch(() => undefined)));
    await this.readModels.close();
    this.redis.disconnect();
    await Promise.all([this.server.stop(), this.store.stop()]);
  }
}
