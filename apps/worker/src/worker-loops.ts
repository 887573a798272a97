import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { Fault, type Log, type Shutdown, withTimeLimit } from '#platform';
import { Scheduler } from './billing-clock/scheduler.js';
import { TestClockDriver } from './billing-clock/test-clock-driver.js';
import { DeliverySweep } from './delivery/delivery-sweep.js';
import { CheckpointBackup } from './feed/checkpoint-backup.js';
import { Reactor } from './feed/reactor.js';
import { JobRunners } from './job-runners.js';
import { LOOPS_STOP_LIMIT_MS } from './limits.js';
import { LOG, SHUTDOWN } from './tokens.js';

/** Everything that runs from start to stop, and the order in which it begins and ends. */
@Injectable()
export class WorkerLoops implements BeforeApplicationShutdown {
  #isStarted = false;
  #loops: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly reactor: Reactor,
    private readonly backup: CheckpointBackup,
    private readonly scheduler: Scheduler,
    private readonly testClocks: TestClockDriver,
    private readonly runners: JobRunners,
    private readonly deliverySweep: DeliverySweep,
    @Inject(SHUTDOWN) private readonly shutdown: Shutdown,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws Fault until the feed has found where to go on. */
  async requireStarted(): Promise<void> {
    if (this.#isStarted) return;
    throw new Fault('unavailable', 'the loops have not started yet', { retryable: true });
  }

  /** Resolves when the feed has found where to go on: the store and Redis answer. */
  async start(): Promise<void> {
    const { signal } = this.shutdown;
    const resumed = new Promise<void>((resolve) => {
      this.#loops = Promise.all([
        this.reactor.run(signal, resolve),
        this.runners.run(signal),
        this.scheduler.run(signal),
        this.testClocks.run(signal),
        this.backup.run(signal),
        this.deliverySweep.run(signal),
      ]);
    });
    await resumed;
    this.#isStarted = true;
  }

  /**
   * Waits for what is under way, after the shutdown's signal, and then backs up how far all is: what
   * ended meanwhile is not repeated, should Redis be lost (rules/running 1).
   */
  async beforeApplicationShutdown(): Promise<void> {
    const ended = Promise.all([this.runners.stop(), this.#loops]);
    await withTimeLimit(ended, LOOPS_STOP_LIMIT_MS, 'what is under way').catch((error: unknown) => {
      this.log.warn({ err: error }, 'the next start takes up what is under way');
    });
    await this.backup.writeLast();
  }
}
