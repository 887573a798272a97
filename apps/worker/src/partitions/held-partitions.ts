import { Inject, Injectable } from '@nestjs/common';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { warnSeldom } from '#platform';
import type { Lease, PartitionWorker } from '#projection-engine';
import type { WorkerConnections } from '../connections.js';
import { PartitionFeed } from '../feed/partition-feed.js';
import { PartitionLoops } from '../partition/partition-loops.js';
import { PartitionModule } from '../partition/partition.module.js';
import { forgetPartitions } from '../metrics.js';
import { CONNECTIONS } from '../tokens.js';
import { Reactor } from './reactor.js';

/** The subscription of the present partitions. */
interface Round {
  readonly controller: AbortController;
  readonly ended: Promise<void>;
  readonly resumed: Promise<void>;
}

/** The partitions that this process works on, by the tokens of their leases. */
@Injectable()
export class HeldPartitions implements PartitionWorker {
  #held = new Map<string, INestApplicationContext>();
  #round: Round | undefined;

  constructor(
    private readonly reactor: Reactor,
    @Inject(CONNECTIONS) private readonly connections: WorkerConnections,
  ) {}

  /** The contexts that work on each of them. */
  get all(): readonly INestApplicationContext[] {
    return [...this.#held.values()];
  }

  /** Resolves when all that are held have found where to go on. */
  async untilResumed(): Promise<void> {
    await this.#round?.resumed;
  }

  /** A partition under a new token begins anew: the work under the old one is fenced. */
  async workOn(leases: readonly Lease[]): Promise<void> {
    const before = this.#held;
    const tokens = new Set(leases.map(({ fence }) => fence.token));
    const gone = [...before].filter(([token]) => !tokens.has(token)).map(([, held]) => held);
    for (const partition of gone) partition.get(PartitionLoops).end();
    await this.#endRound();
    this.#held = new Map();
    for (const lease of leases) {
      const { token } = lease.fence;
      this.#held.set(token, before.get(token) ?? (await this.#open(lease)));
    }
    forgetPartitions();
    this.#beginRound();
    await Promise.all(gone.map((partition) => this.#close(partition)));
  }

  async #open(lease: Lease): Promise<INestApplicationContext> {
    const module = PartitionModule.with(this.connections, lease);
    const partition = await NestFactory.createApplicationContext(module, {
      logger: ['error', 'warn', 'fatal'],
      abortOnError: false,
    });
    partition.get(PartitionLoops).start();
    return partition;
  }

  async #close(partition: INestApplicationContext): Promise<void> {
    const { log } = this.connections;
    const settled = partition.get(PartitionFeed).settle();
    // One that has gone to another process is settled there.
    await settled.catch((error: unknown) => log.debug({ err: error }, 'a last checkpoint failed'));
    try {
      await partition.get(PartitionLoops).stop();
      await partition.close();
    } catch (error) {
      warnSeldom(log, error, 'the work on a partition did not end in order');
    }
  }

  #beginRound(): void {
    const controller = new AbortController();
    const feeds = this.all.map((partition) => partition.get(PartitionFeed));
    let ended: Promise<void> = Promise.resolve();
    const resumed = new Promise<void>((resolve) => {
      ended = this.reactor.run(feeds, controller.signal, resolve).then(resolve);
    });
    this.#round = { controller, ended, resumed };
  }

  /** Resolves when the batch that is under way has ended. */
  async #endRound(): Promise<void> {
    this.#round?.controller.abort();
    await this.#round?.ended;
  }
}
