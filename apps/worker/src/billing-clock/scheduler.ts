import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { CreatedApp } from '#domain/app';
import { toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { forEachConcurrently, type Log, sleepUntilTick, wallClock, warnSeldom } from '#platform';
import type { Lease, ReadModels } from '#projection-engine';
import { type DueDate, dueDates } from '#projections';
import type { AppDirectory } from '#tenancy';
import {
  APPS_AT_ONCE,
  COMMANDS_AT_ONCE,
  DUE_AT_ONCE,
  DUE_IN_A_RUN,
  SCHEDULE_EVERY_MS,
  TAKEN_UP_FOR_MS,
} from '../limits.js';
import { dueFailures, dueHeldUp } from '../metrics.js';
import { APPS, LEASE, LOG, READ_MODELS } from '../tokens.js';
import { DueDateBackoff } from './due-date-backoff.js';
import { DueDates, nameDueDate } from './due-dates.js';
import { PassedOver } from './passed-over.js';
import { DueDatesUnderWay, takeTurns } from './due-dates-under-way.js';
import { TestAppLooks } from './test-app-looks.js';

/** A part of a list of due dates, the earliest first. */
type ReadDueDates = (part: Place & { readonly limit: number }) => Promise<DueDate[]>;

/**
 * A place in a list: behind so many of those that are due at that instant. What is taken up leaves the list,
 * so that a count from its beginning would pass others over.
 */
interface Place {
  readonly from: Instant | undefined;
  readonly offset: number;
}

/** Later than anything is due. */
const END_OF_TIME: Instant = '9999-12-31T23:59:59.999Z';

const BEGINNING: Place = { from: undefined, offset: 0 };

/**
 * Lets due dates of the partition happen, in every app whose clock ticks; a clock that is being advanced has
 * its own driver. After a downtime the longest overdue goes first, and a subscription that is overdue by
 * several periods is billed for one after the other: the next one is due when the last is settled. What
 * fails waits for its next attempt and is passed over meanwhile, so that it holds up no other. So is what
 * belongs to an app that has enough under way, until one of these has its outcome.
 */
@Injectable()
export class Scheduler {
  /** When due dates were taken up, in the order of these times. */
  readonly #takenUp = new Map<string, number>();
  readonly #backoff = new DueDateBackoff();
  readonly #passedOver = new PassedOver();
  /** All that it begins, by a run or as outcomes come: both come at once. */
  readonly #atOnce = pLimit(COMMANDS_AT_ONCE);
  /** Where the next run goes on in a list of which the last one saw no end. */
  readonly #places = new Map<string, Place>();

  constructor(
    private readonly dueDates: DueDates,
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask' | 'watermark'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find' | 'now' | 'testClock'>,
    private readonly looks: TestAppLooks,
    private readonly underWay: DueDatesUnderWay,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted, one run after the other; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const leave = this.looks.follow();
    try {
      while (!signal.aborted) {
        const startedAtMs = Date.now();
        await this.runOnce(signal);
        if (Date.now() - startedAtMs < SCHEDULE_EVERY_MS) {
          await sleepUntilTick(SCHEDULE_EVERY_MS, signal);
        }
      }
    } finally {
      leave();
    }
  }

  /** One look at all that is due. A failure is logged, and the next run tries again. */
  async runOnce(signal: AbortSignal): Promise<void> {
    this.#forgetOld();
    this.underWay.onRoom((appId) => void this.#fillRoom(appId, signal));
    // Where one has failed, there is room that no outcome has announced.
    for (const appId of this.#passedOver.listApps()) void this.#fillRoom(appId, signal);
    const { partition } = this.lease;
    const queries = this.readModels.ask(dueDates);
    const now = wallClock.now();
    await this.#runList('all', (part) => queries.all({ partition, until: now, ...part }), signal);
    await this.#noteShown();
    const appIds = this.looks.take(Date.now());
    await forEachConcurrently(appIds, APPS_AT_ONCE, (appId) => this.#lookInto(appId, signal));
    this.#backoff.forgetOld(performance.now());
    dueHeldUp.set({ partition }, this.#backoff.size);
  }

  /** One question for all apps, however many wait for read models that are behind. */
  async #noteShown(): Promise<void> {
    if (!this.looks.awaitsReadModels) return;
    try {
      this.looks.noteShown(await this.readModels.watermark(this.lease.partition));
    } catch (error) {
      warnSeldom(this.log, error, 'how far the due dates are could not be looked up');
    }
  }

  /** What is due by the app's own clock, which may be ahead. A failure is logged, and tried again. */
  async #lookInto(appId: string, signal: AbortSignal): Promise<void> {
    try {
      const { partition } = this.lease;
      const shownAt = await this.readModels.watermark(partition);
      const queries = this.readModels.ask(dueDates);
      const [next] = await queries.inTestApp(appId, { partition, until: END_OF_TIME, limit: 1 });
      // Most are left alone for good, and their clocks need not be read.
      if (next === undefined) {
        this.looks.leaveAlone(appId, shownAt, undefined);
        return;
      }
      const until = await this.apps.now({ appId, environment: 'test' });
      if (next.dueAt <= until) {
        const read: ReadDueDates = (part) =>
          queries.inTestApp(appId, { partition, until, ...part });
        await this.#runList(appId, read, signal);
        this.looks.again(appId);
      } else {
        const waitMs = toMilliseconds(next.dueAt) - toMilliseconds(until);
        this.looks.leaveAlone(appId, shownAt, Date.now() + waitMs);
      }
    } catch (error) {
      this.looks.again(appId);
      warnSeldom(this.log, error, 'due dates of a test app could not be looked up');
    }
  }

  async #runList(name: string, read: ReadDueDates, signal: AbortSignal): Promise<void> {
    let place = this.#places.get(name) ?? BEGINNING;
    this.#places.delete(name);
    try {
      for (let looked = 0; looked < DUE_IN_A_RUN; looked += DUE_AT_ONCE) {
        if (signal.aborted) return;
        const due = await read({ limit: DUE_AT_ONCE, ...place });
        const takeUp = (date: DueDate) => this.#atOnce(() => this.#takeUp(date, signal));
        await forEachConcurrently(takeTurns(due), COMMANDS_AT_ONCE, takeUp);
        if (due.length < DUE_AT_ONCE) return;
        place = findPlaceBehind(due, place);
      }
      this.#places.set(name, place);
    } catch (error) {
      warnSeldom(this.log, error, 'due dates could not be looked up');
    }
  }

  async #takeUp(date: DueDate, signal: AbortSignal): Promise<void> {
    const key = nameDueDate(date);
    if (signal.aborted || this.#takenUp.has(key)) return;
    if (this.#backoff.isHeldUp(key, performance.now())) return;
    try {
      const app = await this.#requireApp(date);
      if (await this.#isAdvancing(app)) return;
      // It is come to later: others are behind it.
      if (!this.underWay.hasRoom(date.appId)) {
        this.#passedOver.keep(date);
        return;
      }
      this.#takenUp.set(key, performance.now());
      await this.underWay.follow(date.appId, async () => {
        const now = await this.apps.now(app);
        return this.dueDates.process(date, { app, now, by: 'scheduler' });
      });
      this.#backoff.noteSuccess(key);
    } catch (error) {
      this.#takenUp.delete(key);
      this.#backoff.noteFailure(key, performance.now());
      dueFailures.inc();
      const details = { err: error, ...date };
      this.log.error(details, 'a due date could not be processed; it is tried again');
    }
  }

  /** Not at the next run: an app of which many are due would get no more of them in a second than may be under way. */
  async #fillRoom(appId: string, signal: AbortSignal): Promise<void> {
    while (await this.#atOnce(() => this.#takeNext(appId, signal)));
  }

  /** @returns whether there was one, and room for it: others may have taken both while it waited. */
  async #takeNext(appId: string, signal: AbortSignal): Promise<boolean> {
    const next = this.underWay.hasRoom(appId) ? this.#passedOver.take(appId) : undefined;
    if (next === undefined) return false;
    await this.#takeUp(next, signal);
    return true;
  }

  #forgetOld(): void {
    for (const [key, atMs] of this.#takenUp) {
      if (performance.now() - atMs < TAKEN_UP_FOR_MS) return;
      this.#takenUp.delete(key);
    }
  }

  async #requireApp({ appId }: DueDate): Promise<CreatedApp> {
    const app = await this.apps.find(appId);
    if (app === undefined) throw new Error(`there is no app ${appId}`);
    return app;
  }

  async #isAdvancing({ appId, environment }: CreatedApp): Promise<boolean> {
    return environment === 'test' && (await this.apps.testClock(appId)).advance !== null;
  }
}

function findPlaceBehind(due: readonly DueDate[], { from, offset }: Place): Place {
  const last = due.at(-1)?.dueAt;
  const together = due.filter(({ dueAt }) => dueAt === last).length;
  return { from: last, offset: (last === from ? offset : 0) + together };
}
