import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { watchLedger } from '#event-store';
import { Readiness } from '#nest/program';
import { Fault, type Shutdown, warnSeldom, withTimeLimit } from '#platform';
import { LEASE_MS, LEASE_POLL_MS, LeaseKeeper, Leases } from '#projection-engine';
import { membersKey, workerKeys } from '#worker-state';
import type { WorkerConnections } from './connections.js';
import { JOBS_STOP_LIMIT_MS } from './limits.js';
import { HeldPartitions } from './partitions/held-partitions.js';
import { CONNECTIONS, SHUTDOWN } from './tokens.js';

/** The worker from its start to its stop: it takes its share of the partitions, and gives it back. */
@Injectable()
export class WorkerLoops implements BeforeApplicationShutdown {
  readonly #keeper: LeaseKeeper;
  #isStarted = false;
  #looking: Promise<void> = Promise.resolve();

  constructor(
    private readonly held: HeldPartitions,
    @Inject(CONNECTIONS) private readonly connections: WorkerConnections,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
  ) {
    const { config, redis, namespace, partitions, log } = connections;
    const { layoutId } = namespace;
    const prefix = (partition: number) => workerKeys(layoutId, partition).prefix;
    const keys = { members: membersKey(layoutId), prefix };
    const holder = config.instanceName;
    const leases = new Leases({ redis, keys, holder, lastsMs: LEASE_MS });
    const everyMs = LEASE_POLL_MS;
    this.#keeper = new LeaseKeeper({ leases, count: partitions.count, worker: held, everyMs, log });
  }

  /** @throws Fault until the partitions that are held have found where to go on. */
  async requireStarted(): Promise<void> {
    if (this.#isStarted) return;
    throw new Fault('unavailable', 'the loops have not started yet', { retryable: true });
  }

  /**
   * Resolves when the partitions that are held have found where to go on: the store and Redis answer. A
   * worker that finds none free is ready, too.
   *
   * @param onStopped called when the ledger is no longer the one that this process began with.
   */
  async start(onStopped: (error: unknown) => void): Promise<void> {
    const { signal } = this.shutdown;
    const { store, namespace: identity, log } = this.connections;
    watchLedger({ store, identity, signal, log }).catch(onStopped);
    await this.#keeper.begin(signal);
    await this.#keeper.settled();
    this.#looking = this.#keeper.run(signal);
    await this.held.untilResumed();
    this.#isStarted = true;
  }

  /** After the shutdown's signal: the work ends, partition by partition, and they are free for others. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#looking;
    await this.#keeper.settled();
    const ended = this.held.workOn([]);
    await withTimeLimit(ended, 1.5 * JOBS_STOP_LIMIT_MS, 'the work').catch((error: unknown) => {
      this.connections.log.warn({ err: error }, 'the next start takes up what is under way');
    });
    await this.#keeper.stop().catch((error: unknown) => {
      warnSeldom(this.connections.log, error, 'partitions were not given back; they run out');
    });
  }
}

/** Ready while store and Redis answer, once the loops run. */
@Injectable()
export class WorkerReadiness extends Readiness {
  constructor(@Inject(CONNECTIONS) { store, readModels }: WorkerConnections, loops: WorkerLoops) {
    super({
      eventStore: () => store.ping(),
      redis: () => readModels.ping(),
      loops: () => loops.requireStarted(),
    });
  }
}
