import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import type { Partitions } from '#event-store';
import { type Log, sleepUnlessAborted, untilAborted, warnSeldom, withTimeLimit } from '#platform';
import type { Lease } from '#projection-engine';
import type { AppDirectory } from '#tenancy';
import { ADVANCE_CHECK_EVERY_MS, JOBS_STOP_LIMIT_MS, RETRY_SOON_MS } from '../limits.js';
import { APPS, CLOCKS, LEASE, LOG, PARTITIONS } from '../tokens.js';
import { ClockParts } from './clock-parts.js';
import type { MovedClocks } from './moved-clocks.js';
import { TestClockCharges } from './test-clock-charges.js';
import { TestClockCommands } from './test-clock-commands.js';
import { type Drive, TestClockSteps } from './test-clock-steps.js';

/**
 * Moves the test clocks of apps whose own partition is this one (rules/lifecycle 9): to the lowest due time over all
 * partitions, when every partition has settled the due dates before.
 */
@Injectable()
export class TestClockConductor {
  constructor(
    private readonly clocks: TestClockCommands,
    private readonly parts: ClockParts,
    private readonly charges: TestClockCharges,
    @Inject(PARTITIONS) private readonly partitions: Partitions,
    @Inject(LEASE) private readonly lease: Lease,
  ) {}

  /** Moves the clock on, if it can. @returns whether it did. @throws Fault of the store or of Redis. */
  async conduct(app: CreatedApp): Promise<boolean> {
    if (this.partitions.find(app.appId) !== this.lease.partition) return false;
    const advance = await this.clocks.findAdvance(app.appId);
    if (advance === null) return false;
    const parts = await this.parts.readAll(app.appId);
    const { standsAt, target } = advance;
    const isSettled = parts.every((part) => part?.standsAt === standsAt && part.target === target);
    if (!isSettled) return false;
    // An outcome may have come since its partition spoke: the charge holds the clock from then on.
    const restsOn = parts.flatMap((part) => part?.restsOn ?? []);
    if (!(await this.charges.areLeftPending(restsOn))) return false;
    const dueDates = parts.flatMap((part) => part?.next ?? []).sort();
    const [next] = dueDates;
    if (next === undefined) await this.clocks.reachTarget(app, advance);
    else await this.clocks.step(app, advance, next);
    return true;
  }
}

/**
 * Takes test clocks to their targets (rules/lifecycle 9), as far as this partition has a part in it. The state is in
 * the events, so that a restart, or another process, goes on from there.
 */
@Injectable()
export class TestClockDriver {
  readonly #driving = new Set<string>();

  /** Those whose clock changed while they were driven: the end of a drive may not have seen it. */
  readonly #changed = new Set<string>();

  constructor(
    private readonly steps: TestClockSteps,
    private readonly conductor: TestClockConductor,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find' | 'testClock'>,
    @Inject(CLOCKS) private readonly clocks: Pick<MovedClocks, 'follow'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const drives = new Set<Promise<void>>();
    const leave = this.clocks.follow((appId, mayAdvance) => {
      if (!mayAdvance || signal.aborted) return;
      if (this.#driving.has(appId)) {
        this.#changed.add(appId);
        return;
      }
      this.#driving.add(appId);
      const drive = this.#driveWhileChanged(appId, signal).finally(() => drives.delete(drive));
      drives.add(drive);
    });
    await untilAborted(signal);
    leave();
    // A step may wait longer than a stop: the next start goes on from the events.
    const stepping = withTimeLimit(Promise.all(drives), JOBS_STOP_LIMIT_MS, 'a test clock');
    await stepping.catch(() => undefined);
  }

  async #driveWhileChanged(appId: string, signal: AbortSignal): Promise<void> {
    try {
      do {
        this.#changed.delete(appId);
        await this.#drive(appId, signal);
      } while (this.#changed.has(appId) && !signal.aborted);
    } finally {
      this.#driving.delete(appId);
    }
  }

  /** Until the clock rests, or the signal is aborted; never throws. */
  async #drive(appId: string, signal: AbortSignal): Promise<void> {
    let drive: Drive | undefined;
    while (!signal.aborted) {
      try {
        if ((await this.apps.testClock(appId)).advance === null) return;
        const app = drive?.app ?? (await this.apps.find(appId));
        if (app === undefined) return;
        drive ??= this.steps.begin(app);
        const hasLooked = await this.steps.look(drive);
        const hasMoved = await this.conductor.conduct(app);
        if (!hasLooked && !hasMoved) await sleepUnlessAborted(ADVANCE_CHECK_EVERY_MS, signal);
      } catch (error) {
        warnSeldom(this.log, error, `the test clock of ${appId} is held up`);
        await sleepUnlessAborted(RETRY_SOON_MS, signal);
      }
    }
  }
}
