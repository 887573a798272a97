import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUnlessAborted, untilAborted, warnSeldom, withTimeLimit } from '#platform';
import type { AppDirectory } from '#tenancy';
import { ADVANCE_CHECK_EVERY_MS, JOBS_STOP_LIMIT_MS, RETRY_SOON_MS } from '../limits.js';
import { APPS, CLOCKS, LOG } from '../tokens.js';
import type { MovedClocks } from './moved-clocks.js';
import { TestClockConductor } from './test-clock-conductor.js';
import { type Drive, TestClockSteps } from './test-clock-steps.js';

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
