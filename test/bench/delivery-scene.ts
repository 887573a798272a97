import type { LedgerStore } from '#event-store';
import { eventually } from '../support/eventually.js';
import type { RunningProgram } from '../support/program.js';
import type { RunningRedis } from '../support/redis.js';
import { WrittenLedger } from '../support/written-ledger.js';
import { type DeliveryReceiver, startDeliveryReceiver } from './delivery-receiver.js';
import { Stage } from './stage.js';

/** Tens of thousands of payments are looked up, and those that find no room in memory half a minute later. */
const SETTLED_LIMIT_MS = 240_000;

/** A store, a Redis and a receiver of their own, with a worker as a process of its own. */
export class DeliveryScene {
  readonly store: LedgerStore;
  readonly ledger: WrittenLedger;
  readonly redis: RunningRedis;

  private constructor(
    private readonly stage: Stage,
    readonly receiver: DeliveryReceiver,
  ) {
    this.store = stage.client;
    this.redis = stage.redis;
    this.ledger = new WrittenLedger(stage.client, stage.masterKey);
  }

  /** Does something in a scene, which is taken down afterwards. */
  static with<Result>(act: (scene: DeliveryScene) => Promise<Result>): Promise<Result> {
    return Stage.with(async (stage) => {
      const receiver = await startDeliveryReceiver();
      stage.atEnd(() => receiver.close());
      return act(new DeliveryScene(stage, receiver));
    });
  }

  startWorker(): Promise<RunningProgram> {
    return this.stage.start('worker', { LOG_LEVEL: process.env['BENCH_LOG_LEVEL'] ?? 'fatal' });
  }

  /**
   * Waits until the worker has ended all that it has begun. Its messages may long have arrived by then: each payment of
   * before is looked up at the gateway beside them, and the next worker does the rest of that after a stop.
   */
  async untilNothingIsInFlight(): Promise<void> {
    const isEmpty = async () => (await this.redis.command('KEYS *:feed:in-flight')) === '*0';
    await eventually(isEmpty, { what: 'the end of what is in flight', limitMs: SETTLED_LIMIT_MS });
  }
}

/** Halts a process while the next thing is prepared, so that all of it is there when it goes on. */
export async function whileHalted(
  program: RunningProgram,
  prepare: () => Promise<void>,
): Promise<void> {
  program.pause();
  try {
    await prepare();
  } finally {
    program.resume();
  }
}
