import { Inject, Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { CreatedApp } from '#domain/app';
import { forEachConcurrently, type Log, sleepUntilTick, warnSeldom } from '#platform';
import type { DueSubscription, Lease, ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import {
  APPS_AT_ONCE,
  DUE_AT_ONCE,
  COMMANDS_AT_ONCE,
  SCHEDULE_EVERY_MS,
  TAKEN_UP_FOR_MS,
} from '../limits.js';
import { APPS, LEASE, LOG, READ_MODELS } from '../tokens.js';
import { DueDates } from './due-dates.js';

/** Due dates of apps that are taken up within one span of the read models' lag. */
const TAKEN_UP_AT_MOST = 100_000;

/**
 * Lets due dates of the partition happen, in every app whose clock ticks; a clock that is being advanced has its own
 * driver. After a downtime the longest overdue goes first, and a subscription that is overdue by
 * several periods is billed for one after the other: the next one is due when the last is settled.
 */
@Injectable()
export class Scheduler {
  readonly #takenUp = new LRUCache<string, true>({ max: TAKEN_UP_AT_MOST, ttl: TAKEN_UP_FOR_MS });

  constructor(
    private readonly dueDates: DueDates,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'due'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'all' | 'now' | 'testClock'>,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted, one run after the other; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const startedAtMs = Date.now();
      await this.runOnce(signal);
      if (Date.now() - startedAtMs < SCHEDULE_EVERY_MS) {
        await sleepUntilTick(SCHEDULE_EVERY_MS, signal);
      }
    }
  }

  /** One look at all apps. A failure is logged, and the next run tries again. */
  async runOnce(signal: AbortSignal): Promise<void> {
    await forEachConcurrently(this.apps.all(), APPS_AT_ONCE, async (app) => {
      if (signal.aborted || this.#isAdvancing(app)) return;
      await this.#runApp(app, signal).catch((error: unknown) => {
        warnSeldom(this.log, error, 'due dates could not be looked up');
      });
    });
  }

  async #runApp(app: CreatedApp, signal: AbortSignal): Promise<void> {
    const { partition } = this.lease;
    const options = { partition, until: this.apps.now(app), limit: DUE_AT_ONCE };
    const due = await this.readModels.due(app.appId, options);
    await forEachConcurrently(due, COMMANDS_AT_ONCE, async (date) => {
      const key = `${date.subscriptionId} ${date.dueAt}`;
      if (signal.aborted || this.#isAdvancing(app) || this.#takenUp.has(key)) return;
      this.#takenUp.set(key, true);
      await this.#process(app, date);
    });
  }

  async #process(app: CreatedApp, date: DueSubscription): Promise<void> {
    try {
      await this.dueDates.process(date, { app, now: this.apps.now(app), by: 'scheduler' });
    } catch (error) {
      this.log.error(
        { err: error, ...date },
        'a due date could not be processed; it is tried again',
      );
    }
  }

  #isAdvancing({ appId, environment }: CreatedApp): boolean {
    return environment === 'test' && this.apps.testClock(appId).advance !== null;
  }
}
