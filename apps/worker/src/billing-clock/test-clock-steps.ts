import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import { laterInstant } from '#domain/calendar';
import type { Position } from '#domain/event';
import { forEachConcurrently } from '#platform';
import type { DueSubscription, ReadModels } from '#projection-engine';
import { COMMANDS_AT_ONCE, SETTLE_LIMIT_MS, STEP_AT_ONCE, STEP_LIMIT_MS } from '../limits.js';
import { READ_MODELS } from '../tokens.js';
import { DueDates } from './due-dates.js';
import { TestClockCharges } from './test-clock-charges.js';
import { TestClockCommands } from './test-clock-commands.js';

/** One clock on its way to its target. */
export interface Drive {
  readonly app: CreatedApp;
  /** What was processed: should the read models show it still, it is not due any more. */
  readonly done: Set<string>;
  /** The charges that were waited for, whatever came of it. */
  readonly awaited: Set<string>;
  /** What the read models must show before they are asked; null before the first step. */
  seenAt: Position | null;
}

/**
 * The steps of a test clock (rules/lifecycle 9): from one due time to the next, each thing at its own
 * time, and on only when all of that time is settled.
 */
@Injectable()
export class TestClockSteps {
  constructor(
    private readonly clocks: TestClockCommands,
    private readonly dueDates: DueDates,
    private readonly charges: TestClockCharges,
    @Inject(READ_MODELS)
    private readonly readModels: Pick<ReadModels, 'due' | 'waitFor' | 'watermark'>,
  ) {}

  begin(app: CreatedApp): Drive {
    return { app, done: new Set(), awaited: new Set(), seenAt: null };
  }

  /** One due time, or the target when nothing is due before it. @throws Fault. */
  async step(drive: Drive): Promise<void> {
    const { app, done } = drive;
    const shownAt = await this.#catchUp(drive);
    const advance = this.clocks.findAdvance(app.appId);
    if (advance === null) return;
    const limit = STEP_AT_ONCE + done.size;
    const listed = await this.readModels.due(app.appId, { until: advance.target, limit });
    if (await this.#hasWaited(drive)) return;
    // Something else happened since: what is due may be something else now.
    if (this.charges.lastChangeAt(app.appId) > shownAt) return;
    const due = listed.filter((date) => !done.has(toKey(date)));
    const [first] = due;
    if (first === undefined) {
      await this.clocks.reachTarget(app);
      return;
    }
    const now = laterInstant(first.dueAt, advance.standsAt);
    await this.clocks.step(app, now);
    const dueNow = due.filter(({ dueAt }) => dueAt <= now);
    for (const date of dueNow) done.add(toKey(date));
    await this.#processAll(drive, dueNow, now);
  }

  /**
   * Until the read models show what this drive did, and before that what was there when the clock was
   * asked to move. @returns how far they are.
   */
  async #catchUp(drive: Drive): Promise<Position> {
    drive.seenAt ??= await this.clocks.findPosition(drive.app.appId);
    if (drive.seenAt !== null) {
      await this.readModels.waitFor(drive.seenAt, { timeoutMs: STEP_LIMIT_MS });
    }
    return this.readModels.watermark();
  }

  /** A subscription that waits for the gateway is not due, and will be. @returns whether there was one. */
  async #hasWaited(drive: Drive): Promise<boolean> {
    const shownAt = await this.readModels.watermark();
    const { appId } = drive.app;
    const { hasWaited, settledAt } = await this.charges.waitForPending(
      appId,
      shownAt,
      drive.awaited,
    );
    noteSeen(drive, settledAt);
    return hasWaited;
  }

  async #processAll(drive: Drive, due: readonly DueSubscription[], now: string): Promise<void> {
    await forEachConcurrently(due, COMMANDS_AT_ONCE, async (date) => {
      const at = { app: drive.app, now, by: 'test_clock' } as const;
      const { paymentId, position } = await this.dueDates.process(date, at);
      noteSeen(drive, position);
      if (paymentId === null) return;
      const renewal = { subscriptionId: date.subscriptionId, paymentId };
      noteSeen(drive, await this.charges.waitFor(renewal, SETTLE_LIMIT_MS, drive.awaited));
    });
  }
}

function noteSeen(drive: Drive, position: Position | null): void {
  if (position !== null && (drive.seenAt === null || position > drive.seenAt)) {
    drive.seenAt = position;
  }
}

function toKey({ subscriptionId, dueAt }: DueSubscription): string {
  return `${subscriptionId} ${dueAt}`;
}
