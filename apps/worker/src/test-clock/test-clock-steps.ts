import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Instant, Position } from '#domain/event';
import { type Fault, forEachConcurrently } from '#platform';
import type { Lease, ReadModels } from '#projection-engine';
import { type DueDate, dueDates } from '#projections';
import { isConflict } from '../conflict-retry.js';
import {
  CALLS_AT_ONCE,
  CLOCK_PART_SAID_EVERY_MS,
  FOLLOW_LIMIT_MS,
  TAKEN_UP_AT_ONCE,
} from '../limits.js';
import { LEASE, READ_MODELS } from '../tokens.js';
import { ClockParts } from './clock-parts.js';
import { DueDates, nameDueDate } from '../billing-clock/due-dates.js';
import { TestClockCharges } from './test-clock-charges.js';
import { TestClockCommands } from './test-clock-commands.js';

/** One clock on its way to its target, as one partition sees it. */
export interface Drive {
  readonly app: CreatedApp;
  /**
   * The processed due dates, by `nameDueDate`: as long as the read models show them still, they are not due any more.
   */
  readonly done: Set<string>;
  /** The position that the read models must show before they are asked; null before the first poll. */
  seenAt: Position | null;
  /** The last message; null before that. */
  said: { readonly standsAt: Instant; readonly shownAt: Position; readonly atMs: number } | null;
}

/**
 * A partition's part of the steps of a test clock (rules/lifecycle 9): its due dates up to the clock's time are
 * processed, and when all of them are settled, the partition says its next one.
 */
@Injectable()
export class TestClockSteps {
  constructor(
    private readonly clocks: TestClockCommands,
    private readonly dueDates: DueDates,
    private readonly charges: TestClockCharges,
    private readonly parts: ClockParts,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(READ_MODELS)
    private readonly readModels: Pick<ReadModels, 'ask' | 'waitFor' | 'watermark'>,
  ) {}

  begin(app: CreatedApp): Drive {
    return { app, done: new Set(), seenAt: null, said: null };
  }

  /** Comes nearer to the end of the step. @returns whether there was anything to do. @throws Fault. */
  async look(drive: Drive): Promise<boolean> {
    const { app } = drive;
    const advance = await this.clocks.findAdvance(app.appId);
    if (advance === null || this.#hasSaid(drive, advance.standsAt)) return false;
    const { standsAt, target } = advance;
    const shownAt = await this.#catchUp(drive);
    const { due, pending } = await this.#list(drive, target);
    // Something else happened while they were listed: other dates may be due now.
    if (await this.#hasChangedSince(drive, shownAt)) return true;
    // A subscription that waits for the gateway is not due, and will be.
    const settledAt = await this.charges.waitForAll(pending);
    noteSeen(drive, settledAt);
    if (settledAt !== null) return true;
    const dueNow = due.filter(({ dueAt }) => dueAt <= standsAt);
    if (dueNow.length > 0) {
      await this.#processAll(drive, dueNow, standsAt);
      return true;
    }
    const next = due[0]?.dueAt ?? null;
    const restsOn = this.charges.listLeftPending(pending);
    await this.parts.answer(app.appId, { standsAt, target, next, restsOn });
    drive.said = { standsAt, shownAt, atMs: Date.now() };
    return true;
  }

  /** The due dates up to a time, and the charges without an outcome, as the read models show them. */
  async #list({ app, done }: Drive, until: Instant) {
    const { partition } = this.lease;
    const queries = this.readModels.ask(dueDates);
    const pending = await queries.pendingInTestApp(app.appId, partition);
    const range = { partition, until, limit: TAKEN_UP_AT_ONCE + done.size };
    const listed = await queries.inTestApp(app.appId, range);
    const keys = new Set(listed.map(nameDueDate));
    for (const key of done) if (!keys.has(key)) done.delete(key);
    return { pending, due: listed.filter((date) => !done.has(nameDueDate(date))) };
  }

  async #hasChangedSince(drive: Drive, shownAt: Position): Promise<boolean> {
    const listedAt = await this.readModels.watermark(this.lease.partition);
    const changedAt = await this.charges.lastChangeAt(drive.app.appId, listedAt);
    if (changedAt <= shownAt) return false;
    noteSeen(drive, changedAt);
    return true;
  }

  /** Said once more now and then: Redis does not keep it for ever. */
  #hasSaid({ app, said }: Drive, standsAt: Instant): boolean {
    return (
      said?.standsAt === standsAt &&
      !this.charges.hasChangedSince(app.appId, said.shownAt) &&
      Date.now() - said.atMs < CLOCK_PART_SAID_EVERY_MS
    );
  }

  /**
   * Until the read models show this drive's events, and before that the events of before the clock was asked to move.
   * @returns how far they are.
   */
  async #catchUp(drive: Drive): Promise<Position> {
    drive.seenAt ??= await this.clocks.findPosition(drive.app.appId);
    if (drive.seenAt !== null) {
      const partitions = [this.lease.partition];
      await this.readModels.waitFor(drive.seenAt, { partitions, timeoutMs: FOLLOW_LIMIT_MS });
    }
    return this.readModels.watermark(this.lease.partition);
  }

  /**
   * One that others keep changing stays due, and holds up the next step; the others of this step are done.
   *
   * @throws Fault; the rest is due still.
   */
  async #processAll(drive: Drive, due: readonly DueDate[], now: Instant): Promise<void> {
    const conflicts: Fault[] = [];
    await forEachConcurrently(due, CALLS_AT_ONCE, async (date) => {
      await this.#processOne(drive, date, now).catch((error: unknown) => {
        if (!isConflict(error)) throw error;
        conflicts.push(error);
      });
    });
    const [conflict] = conflicts;
    if (conflict !== undefined) throw conflict;
  }

  async #processOne(drive: Drive, date: DueDate, now: Instant): Promise<void> {
    const at = { app: drive.app, now, by: 'test_clock' } as const;
    const { paymentId, position, isAtBound } = await this.dueDates.process(date, at);
    noteSeen(drive, position);
    if (isAtBound && paymentId !== null) {
      const { subjectId } = date;
      noteSeen(drive, await this.charges.waitForEnd({ subjectId, paymentId }));
    }
    drive.done.add(nameDueDate(date));
  }
}

function noteSeen(drive: Drive, position: Position | null): void {
  if (position !== null && (drive.seenAt === null || position > drive.seenAt)) {
    drive.seenAt = position;
  }
}
