import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import { type EventStore, type Partitions, START } from '#event-store';
import { type Difference, type ListBooks, reconcile, type Reconciliation } from '#gateway';
import { type Log, sleepUntilTick, wallClock, warnSeldom } from '#platform';
import { type Lease, runFenced } from '#projection-engine';
import { type Redis, redisReply } from '#redis';
import type { WorkerKeys } from '#worker-state';
import {
  DAILY_MS,
  NAMED_AT_ONCE,
  RECONCILE_ACCOUNT_LIMIT_MS,
  SETTLING_AT_GATEWAY_MS,
  SLOW_TICK_MS,
} from '../limits.js';
import { reconciledAt, reconciliationDifferences } from '../metrics.js';
import { moveCheckpoint } from '../redis/feed-checkpoint.js';
import { BOOKS, EVENT_STORE, KEYS, LEASE, LOG, PARTITIONS, REDIS } from '../tokens.js';

/** For `move-checkpoint`: where Redis has lost the runs, two days count, so that any server may keep the next one. */
const ANY_SERVER = '';

/** When a run was, and where the store's log ended then. */
export interface Run {
  readonly at: Instant;
  readonly position: Position;
}

/** The last two runs: a payment on its way at the last one is compared by the next. */
interface Runs {
  readonly last: Run;
  readonly before: Run;
}

/**
 * When the gateway's books were compared with the ledger, in Redis. It is a checkpoint, which a former holder does not
 * move. Calls throw Fault of Redis.
 */
@Injectable()
export class ReconciliationRuns {
  constructor(
    @Inject(REDIS) private readonly redis: Redis,
    @Inject(KEYS) private readonly keys: Pick<WorkerKeys, 'reconciled'>,
    @Inject(LEASE) private readonly lease: Pick<Lease, 'fence'>,
  ) {}

  /** Undefined where Redis knows of none. */
  async read(): Promise<Runs | undefined> {
    const stored = await redisReply(this.redis.get(this.keys.reconciled));
    // Only `move` writes there.
    return stored === null ? undefined : (JSON.parse(stored) as Runs);
  }

  /** @throws Fenced where the partition has another holder, or other runs are kept than were read. */
  async move(from: Runs | undefined, to: Runs): Promise<void> {
    const texts = [from === undefined ? '' : JSON.stringify(from), JSON.stringify(to)];
    const all = { keys: [this.keys.reconciled], args: [...texts, ANY_SERVER] };
    await runFenced(this.redis, this.lease.fence, moveCheckpoint, all);
  }
}

/**
 * Compares the gateway's books with the ledger once a day, for one partition (rules/payments 16): the payments that
 * have changed since the run before the last one. It is bounded so, whatever the ledger holds; where Redis has lost
 * when that was, two days count, and the log is read once from its beginning.
 */
@Injectable()
export class DailyReconciliation {
  constructor(
    @Inject(EVENT_STORE)
    private readonly store: Pick<EventStore, 'subscribe' | 'headPosition' | 'readStream'>,
    @Inject(BOOKS) private readonly listBooks: ListBooks,
    private readonly runs: ReconciliationRuns,
    @Inject(PARTITIONS) private readonly partitions: Pick<Partitions, 'rangesFor'>,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    do {
      await this.look(wallClock.now(), signal).catch((error: unknown) => {
        if (signal.aborted) return;
        warnSeldom(this.log, error, "the gateway's books could not be compared with the ledger");
      });
    } while (await sleepUntilTick(SLOW_TICK_MS, signal));
  }

  /** Compares where a day has passed. @throws Fault of the store, of Redis or of the gateway. */
  async look(now: Instant, signal: AbortSignal): Promise<void> {
    const runs = await this.runs.read();
    const position = await this.store.headPosition();
    const last = { at: now, position };
    if (runs === undefined) return this.#move(runs, { last, before: beginning(now) });
    this.#show(runs.last.at);
    if (now < addMilliseconds(runs.last.at, DAILY_MS)) return;
    this.#report(await this.#compare(runs.before, now, signal));
    await this.#move(runs, { last, before: runs.last });
  }

  async #compare(before: Run, now: Instant, signal: AbortSignal): Promise<Reconciliation> {
    const { store } = this;
    const { position: after } = before;
    // A gateway's clock may differ from ours, and a payment on its way then has changed before it.
    const since = addMilliseconds(before.at, -SETTLING_AT_GATEWAY_MS);
    let named = 0;
    const onDifference = (difference: Difference) => {
      named += 1;
      if (named > NAMED_AT_ONCE) return;
      this.log.error({ ...difference }, "the gateway's books and the ledger differ");
    };
    return reconcile({
      ...{ store, books: await this.listBooks({ after, signal }), after },
      ...{ since, now, settlingMs: SETTLING_AT_GATEWAY_MS, signal, onDifference },
      accountLimitMs: RECONCILE_ACCOUNT_LIMIT_MS,
      buckets: this.partitions.rangesFor([this.lease.partition]),
    });
  }

  #report({ payments, charges, found, unread }: Reconciliation): void {
    for (const books of unread) {
      this.log.error({ ...books }, "an app's books at its gateway could not be compared");
    }
    reconciliationDifferences.set({ partition: this.lease.partition }, found);
    const { partition } = this.lease;
    this.log.info({ partition, payments, charges, found }, 'books were compared');
  }

  async #move(from: Runs | undefined, to: Runs): Promise<void> {
    await this.runs.move(from, to);
    this.#show(to.last.at);
  }

  #show(at: Instant): void {
    reconciledAt.set({ partition: this.lease.partition }, Date.parse(at) / 1000);
  }
}

/** As if the run before the last one had been two days ago: nothing is left out for a loss of Redis. */
function beginning(now: Instant): Run {
  return { at: addMilliseconds(now, -2 * DAILY_MS), position: START };
}
