import type { CreatedApp } from '#domain/app';
import { laterOf } from '#domain/calendar';
import type { Position } from '#domain/event';
import { testClockAggregate, type TestClockCommand } from '#domain/test-clock';
import type { CommandExecutor } from '#event-store';
import {
  assertDefect,
  type Clock,
  deriveUuid,
  Fault,
  forEachConcurrently,
  type Log,
  sleepUnlessAborted,
  warnSeldom,
  withTimeLimit,
} from '#platform';
import type { DueSubscription, ReadModels } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import {
  ADVANCE_CHECK_EVERY_MS,
  ADVANCE_RETRY_MS,
  EFFECTS_AT_ONCE,
  JOBS_STOP_LIMIT_MS,
  SETTLE_LIMIT_MS,
  STEP_AT_ONCE,
  STEP_LIMIT_MS,
  TAKE_OVER_LIMIT_MS,
} from '../limits.js';
import type { Notices } from '../feed/progress-notifier.js';
import type { PendingRenewal } from './pending-renewals.js';
import { processDueDate } from './due-dates.js';
import { settlementOf } from './settlement.js';

interface DriverParts {
  readonly commands: CommandExecutor;
  readonly readModels: Pick<ReadModels, 'due' | 'waitFor' | 'watermark'>;
  readonly apps: Pick<AppDirectory, 'all' | 'testClock' | 'waitFor'>;
  readonly notices: Notices;
  readonly clock: Clock;
  readonly log: Log;
}

/** One clock on its way to its target. */
interface Drive {
  readonly app: CreatedApp;
  /** What was processed: should the read models show it still, it is not due any more. */
  readonly done: Set<string>;
  /** The charges that were waited for, whatever came of it. */
  readonly awaited: Set<string>;
  /** What the read models must show before they are asked; null before the first step. */
  seenAt: Position | null;
}

/**
 * Takes test clocks to their targets (decisions 6, "Test clock"): from one due time to the next, each
 * thing at its own time, and on only when all of that time is settled. The state is in the events, so
 * a restart goes on where it was, and several workers may drive the same clock.
 */
export class TestClockDriver {
  readonly #parts: DriverParts;
  readonly #driving = new Set<string>();

  constructor(parts: DriverParts) {
    this.#parts = parts;
  }

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const drives = new Set<Promise<void>>();
    while (!signal.aborted) {
      for (const app of this.#parts.apps.all()) {
        if (!this.#isAdvancing(app.appId) || this.#driving.has(app.appId)) continue;
        this.#driving.add(app.appId);
        const drive = this.#drive(app, signal).finally(() => {
          this.#driving.delete(app.appId);
          drives.delete(drive);
        });
        drives.add(drive);
      }
      await sleepUnlessAborted(ADVANCE_CHECK_EVERY_MS, signal);
    }
    // What a step waits for may take longer than a stop: the next start goes on from the events.
    const stepping = withTimeLimit(Promise.all(drives), JOBS_STOP_LIMIT_MS, 'a test clock');
    await stepping.catch(() => undefined);
  }

  async #drive(app: CreatedApp, signal: AbortSignal): Promise<void> {
    const drive: Drive = { app, done: new Set(), awaited: new Set(), seenAt: null };
    while (!signal.aborted && this.#isAdvancing(app.appId)) {
      try {
        await this.#step(drive);
      } catch (error) {
        warnSeldom(this.#parts.log, error, `the test clock of ${app.appId} is held up`);
        await sleepUnlessAborted(ADVANCE_RETRY_MS, signal);
      }
    }
  }

  /** One due time, or the target when nothing is due before it. */
  async #step(drive: Drive): Promise<void> {
    const { readModels, apps, notices, clock } = this.#parts;
    const { app, done } = drive;
    const shownAt = await this.#catchUp(drive);
    const { advance } = apps.testClock(app.appId);
    if (advance === null) return;
    const limit = STEP_AT_ONCE + done.size;
    const listed = await readModels.due(app.appId, { until: advance.target, limit });
    if (await this.#hasWaited(drive)) return;
    // Somebody else let something happen since: what is due may be something else now.
    if (notices.renewals.changedAt(app.appId) > shownAt) return;
    const due = listed.filter((date) => !done.has(keyOf(date)));
    const [first] = due;
    if (first === undefined) {
      await this.#command(app, { kind: 'ReachTarget', wallNow: clock.now() });
      return;
    }
    const now = laterOf(first.dueAt, advance.standsAt);
    await this.#command(app, { kind: 'StepTestClock', to: now });
    const dueNow = due.filter(({ dueAt }) => dueAt <= now);
    for (const date of dueNow) done.add(keyOf(date));
    await this.#processAll(drive, dueNow, now);
  }

  /**
   * Until the read models show what this drive did, and before that what was there when the clock was
   * asked to move. @returns how far they are.
   */
  async #catchUp(drive: Drive): Promise<Position> {
    const { commands, readModels } = this.#parts;
    if (drive.seenAt === null) {
      const { position } = await commands.load(testClockAggregate, drive.app.appId);
      drive.seenAt = position;
    }
    if (drive.seenAt !== null) {
      await readModels.waitFor(drive.seenAt, { timeoutMs: STEP_LIMIT_MS });
    }
    return readModels.watermark();
  }

  /**
   * A subscription that waits for the gateway is not due, and will be: by a worker that was killed, by
   * another one that drives the same clock, by the scheduler. The clock stands until it is settled.
   *
   * @returns whether there was anything to wait for.
   */
  async #hasWaited(drive: Drive): Promise<boolean> {
    const { readModels, notices } = this.#parts;
    const shownAt = await readModels.watermark();
    if (!(await notices.reached(shownAt, STEP_LIMIT_MS))) {
      throw new Fault('unavailable', 'the reactor is behind', { retryable: true });
    }
    const pending = notices.renewals
      .pendingOf(drive.app.appId)
      .filter(({ paymentId }) => !drive.awaited.has(paymentId));
    await forEachConcurrently(pending, EFFECTS_AT_ONCE, (renewal) =>
      this.#settle(drive, renewal, TAKE_OVER_LIMIT_MS),
    );
    return pending.length > 0;
  }

  async #processAll(drive: Drive, due: readonly DueSubscription[], now: string): Promise<void> {
    const { commands } = this.#parts;
    await forEachConcurrently(due, EFFECTS_AT_ONCE, async (date) => {
      const at = { app: drive.app, now, by: 'test_clock' } as const;
      const { paymentId, position } = await processDueDate(commands, date, at);
      seen(drive, position);
      if (paymentId === null) return;
      const { subscriptionId } = date;
      await this.#settle(drive, { subscriptionId, paymentId }, SETTLE_LIMIT_MS);
    });
  }

  async #settle(drive: Drive, renewal: PendingRenewal, limitMs: number): Promise<void> {
    const { log } = this.#parts;
    // A charge that stays pending is waited for once, and does not hold up each step.
    if (drive.awaited.has(renewal.paymentId)) return;
    const settledAt = await settlementOf(this.#parts, renewal, limitMs);
    drive.awaited.add(renewal.paymentId);
    if (settledAt === null) log.info(renewal, 'a charge stays pending; the clock goes on');
    seen(drive, settledAt);
  }

  async #command(app: CreatedApp, command: TestClockCommand): Promise<void> {
    const { commands, apps, clock } = this.#parts;
    const { appId, environment } = app;
    const result = await commands.execute(testClockAggregate, appId, command, {
      appId,
      environment,
      actor: 'process:advance_test_clock',
      correlationId: deriveUuid(`${appId}/test_clock`),
      now: clock.now(),
    });
    assertDefect(result.accepted, `the test clock of ${appId} refused ${command.kind}`);
    if (result.position !== null) await apps.waitFor(result.position, STEP_LIMIT_MS);
  }

  #isAdvancing(appId: string): boolean {
    return this.#parts.apps.testClock(appId).advance !== null;
  }
}

function seen(drive: Drive, position: Position | null): void {
  if (position !== null && (drive.seenAt === null || position > drive.seenAt)) {
    drive.seenAt = position;
  }
}

function keyOf({ subscriptionId, dueAt }: DueSubscription): string {
  return `${subscriptionId} ${dueAt}`;
}
