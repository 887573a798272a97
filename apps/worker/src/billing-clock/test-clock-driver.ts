import { Inject, Injectable } from '@nestjs/common';
import type { CreatedApp } from '#domain/app';
import { type Log, sleepUnlessAborted, untilAborted, warnSeldom, withTimeLimit } from '#platform';
import type { AppDirectory } from '#tenancy';
import { ADVANCE_CHECK_EVERY_MS, ADVANCE_RETRY_MS, JOBS_STOP_LIMIT_MS } from '../limits.js';
import { APPS, LOG } from '../tokens.js';
import { TestClockConductor } from './test-clock-conductor.js';
import { TestClockSteps } from './test-clock-steps.js';

/**
 * Takes test clocks to their targets (rules/lifecycle 9), as far as this partition has a part in it. The
 * state is in the events, so that a restart, or another process, goes on where it was.
 */
@Injectable()
export class TestClockDriver {
  readonly #driving = new Set<string>();

  constructor(
    private readonly steps: TestClockSteps,
    private readonly conductor: TestClockConductor,
    @Inject(APPS)
    private readonly apps: Pick<AppDirectory, 'onChange' | 'testClock' | 'withTestClock'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    const drives = new Set<Promise<void>>();
    const driveAdvancing = () => {
      if (signal.aborted) return;
      for (const app of this.apps.withTestClock()) {
        if (!this.#isAdvancing(app.appId) || this.#driving.has(app.appId)) continue;
        this.#driving.add(app.appId);
        const drive = this.#drive(app, signal).finally(() => {
          this.#driving.delete(app.appId);
          drives.delete(drive);
          // The clock may have been advanced again just before.
          driveAdvancing();
        });
        drives.add(drive);
      }
    };
    const stopListening = this.apps.onChange(driveAdvancing);
    driveAdvancing();
    await untilAborted(signal);
    stopListening();
    // What a step waits for may take longer than a stop: the next start goes on from the events.
    const stepping = withTimeLimit(Promise.all(drives), JOBS_STOP_LIMIT_MS, 'a test clock');
    await stepping.catch(() => undefined);
  }

  async #drive(app: CreatedApp, signal: AbortSignal): Promise<void> {
    const drive = this.steps.begin(app);
    while (!signal.aborted && this.#isAdvancing(app.appId)) {
      try {
        const hasLooked = await this.steps.look(drive);
        const hasMoved = await this.conductor.conduct(app);
        if (!hasLooked && !hasMoved) await sleepUnlessAborted(ADVANCE_CHECK_EVERY_MS, signal);
      } catch (error) {
        warnSeldom(this.log, error, `the test clock of ${app.appId} is held up`);
        await sleepUnlessAborted(ADVANCE_RETRY_MS, signal);
      }
    }
  }

  #isAdvancing(appId: string): boolean {
    return this.apps.testClock(appId).advance !== null;
  }
}
