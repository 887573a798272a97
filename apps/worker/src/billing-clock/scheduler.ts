import { Inject, Injectable } from '@nestjs/common';
import { toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';
import { forEachConcurrently, type Log, sleepUntilTick, wallClock, warnSeldom } from '#platform';
import type { Lease, ReadModels } from '#projection-engine';
import { type DueDate, dueDates } from '#projections';
import type { AppDirectory } from '#tenancy';
import { CALLS_AT_ONCE, DUE_IN_A_RUN, TAKEN_UP_AT_ONCE, TICK_MS } from '../limits.js';
import { dueHeldUp } from '../metrics.js';
import { APPS, LEASE, LOG, READ_MODELS } from '../tokens.js';
import { DueDateIntake } from './due-date-intake.js';
import { TestAppLooks } from './test-app-looks.js';

/** A part of a list of due dates, the earliest first. */
type ReadDueDates = (part: Place & { readonly limit: number }) => Promise<DueDate[]>;

/**
 * A place in a list: behind so many of those that are due at that instant. A taken-up due date leaves the list, so that
 * a count from its beginning would pass others over.
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
 * several periods is billed for one after the other: the next one is due when the last is settled.
 */
@Injectable()
export class Scheduler {
  /** The place at which the next run goes on in a list of which the last one saw no end. */
  readonly #places = new Map<string, Place>();

  constructor(
    @Inject(READ_MODELS) private readonly readModels: Pick<ReadModels, 'ask' | 'watermark'>,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'now'>,
    private readonly looks: TestAppLooks,
    private readonly intake: DueDateIntake,
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
        if (Date.now() - startedAtMs < TICK_MS) {
          await sleepUntilTick(TICK_MS, signal);
        }
      }
    } finally {
      leave();
    }
  }

  /** One look at all that is due. A failure is logged, and the next run tries again. */
  async runOnce(signal: AbortSignal): Promise<void> {
    this.intake.beginRun(signal);
    const { partition } = this.lease;
    const queries = this.readModels.ask(dueDates);
    const now = wallClock.now();
    await this.#runList('all', (part) => queries.all({ partition, until: now, ...part }), signal);
    await this.#noteShown();
    const appIds = this.looks.take(Date.now());
    await forEachConcurrently(appIds, CALLS_AT_ONCE, (appId) => this.#lookInto(appId, signal));
    dueHeldUp.set({ partition }, this.intake.heldUp);
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

  /** The due dates by the app's own clock, which may be ahead. A failure is logged, and tried again. */
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
      for (let looked = 0; looked < DUE_IN_A_RUN; looked += TAKEN_UP_AT_ONCE) {
        if (signal.aborted) return;
        const due = await read({ limit: TAKEN_UP_AT_ONCE, ...place });
        await this.intake.takeUpAll(due, signal);
        if (due.length < TAKEN_UP_AT_ONCE) return;
        place = findPlaceBehind(due, place);
      }
      this.#places.set(name, place);
    } catch (error) {
      warnSeldom(this.log, error, 'due dates could not be looked up');
    }
  }
}

function findPlaceBehind(due: readonly DueDate[], { from, offset }: Place): Place {
  const last = due.at(-1)?.dueAt;
  const together = due.filter(({ dueAt }) => dueAt === last).length;
  return { from: last, offset: (last === from ? offset : 0) + together };
}
