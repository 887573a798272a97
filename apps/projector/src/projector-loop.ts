import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { type LedgerStore, requireNamespace, watchLedger } from '#event-store';
import { EVENT_STORE, LOG } from '#nest';
import { WaitsForOperator } from '#nest/program';
import {
  Fault,
  type Log,
  reportObstacles,
  reportProgress,
  type Shutdown,
  sleepUnlessAborted,
  warnSeldom,
} from '#platform';
import { type Obstacle, runProjector } from '#projection-engine';
import { projections } from '#projections';
import { type Redis, redisReply } from '#redis';
import { checkForGate } from '#verification';
import type { ProjectorConfig } from './config.js';
import { CONFIG, REDIS, SHUTDOWN } from './tokens.js';

/** A Redis that starts together with us may take a moment. */
const REDIS_POLL_MS = 500;

const reportBuild = (share: number) => reportProgress('building the read models', share);

/** The catch-up loop that feeds this process's share of the projections into Redis, from start to stop. */
@Injectable()
export class ProjectorLoop implements BeforeApplicationShutdown {
  #isCaughtUp = false;
  #obstacles: readonly Obstacle[] = [];
  #running: Promise<void> | undefined;

  constructor(
    @Inject(EVENT_STORE) private readonly store: LedgerStore,
    @Inject(CONFIG) private readonly config: ProjectorConfig,
    @Inject(LOG) private readonly log: Log,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(REDIS) private readonly redisClient: Redis,
  ) {}

  /**
   * @throws Fault until this process has held all of history, once since the start; WaitsForOperator where a read
   *   model does not answer until an operator acts.
   */
  async requireCaughtUp(): Promise<void> {
    if (this.#isCaughtUp) return;
    const sentences = this.#obstacles.map(({ sentence }) => sentence);
    if (sentences.length > 0) throw new WaitsForOperator(sentences.join(' '));
    throw new Fault('unavailable', 'the read models are being built', { retryable: true });
  }

  /**
   * Resolves when the read models answer; the loop then goes on.
   *
   * @param onStopped called with the error that ended the loop before a stop was asked for.
   * @throws Fault when the event store is out of reach, or has no such namespace.
   */
  async start(onStopped: (error: unknown) => void): Promise<void> {
    const { signal } = this.shutdown;
    const { store, log } = this;
    const { redisUrl: redis, instanceName: holder, formerKeptMs } = this.config;
    // Beside each other: each that is out of reach says so at once.
    const both = [requireNamespace(store, log, signal), this.#untilRedisAnswers()] as const;
    const [identity] = await Promise.all(both);
    await new Promise<void>((resolve) => {
      const onReady = () => {
        this.#isCaughtUp = true;
        resolve();
      };
      const ledger = { store, identity, redis, projections, checkStreams: checkForGate };
      const place = { ...ledger, holder, signal, log, formerKeptMs };
      const onObstacles = (obstacles: readonly Obstacle[]) => {
        this.#obstacles = obstacles;
        if (!this.#isCaughtUp) reportObstacles(obstacles);
      };
      const calls = { onReady, onObstacles, onProgress: reportBuild };
      this.#running = runProjector({ ...place, ...calls });
      this.#running.catch(onStopped);
      watchLedger({ store, identity, signal, log }).catch(onStopped);
    });
  }

  async #untilRedisAnswers(): Promise<void> {
    const { signal } = this.shutdown;
    while (!signal.aborted) {
      try {
        await redisReply(this.redisClient.ping());
        return;
      } catch (error) {
        warnSeldom(this.log, error, 'Redis is not ready for us; it is asked again');
        await sleepUnlessAborted(REDIS_POLL_MS, signal);
      }
    }
  }

  /** Waits for the batch in flight. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#running?.catch(() => undefined);
  }
}
