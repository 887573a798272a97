import { Inject, Injectable } from '@nestjs/common';
import pLimit from 'p-limit';
import type { CreatedApp } from '#domain/app';
import { forEachConcurrently, type Log } from '#platform';
import type { DueDate } from '#projections';
import type { AppDirectory } from '#tenancy';
import { BEGUN_AGAIN_AFTER_MS, CALLS_AT_ONCE } from '../limits.js';
import { dueFailures } from '../metrics.js';
import { APPS, LOG } from '../tokens.js';
import { DueDateBackoff } from './due-date-backoff.js';
import { DueDates, nameDueDate } from './due-dates.js';
import { DueDatesUnderWay, takeTurns } from './due-dates-under-way.js';
import { PassedOver } from './passed-over.js';

/**
 * Takes up due dates. Those that fail wait for their next attempt and are passed over meanwhile, so that they hold up no
 * others. So are those of an app that has enough under way, until one of these has its outcome.
 */
@Injectable()
export class DueDateIntake {
  /** When due dates were taken up, in the order of these times. */
  readonly #takenUp = new Map<string, number>();
  readonly #backoff = new DueDateBackoff();
  readonly #passedOver = new PassedOver();
  /** All that it begins, by a run or as outcomes come: both come at once. */
  readonly #atOnce = pLimit(CALLS_AT_ONCE);

  constructor(
    private readonly dueDates: DueDates,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'find' | 'now' | 'testClock'>,
    private readonly underWay: DueDatesUnderWay,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** How many failed, and wait for their next attempt. */
  get heldUp(): number {
    return this.#backoff.size;
  }

  /** Takes up those that were passed over, now and as room comes. */
  beginRun(signal: AbortSignal): void {
    this.#forgetOld();
    this.underWay.onRoom((appId) => void this.#fillRoom(appId, signal));
    // Where one has failed, there is room that no outcome has announced.
    for (const appId of this.#passedOver.listApps()) void this.#fillRoom(appId, signal);
  }

  /** Resolves when they are on their way, or wait; never throws. */
  async takeUpAll(due: readonly DueDate[], signal: AbortSignal): Promise<void> {
    await forEachConcurrently(takeTurns(due), CALLS_AT_ONCE, (date) =>
      this.#atOnce(() => this.#takeUp(date, signal)),
    );
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
    this.#backoff.forgetOld(performance.now());
    for (const [key, atMs] of this.#takenUp) {
      if (performance.now() - atMs < BEGUN_AGAIN_AFTER_MS) return;
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
