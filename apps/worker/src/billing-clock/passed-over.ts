import type { DueDate } from '#projections';
import { PASSED_OVER_OF_AN_APP } from '../limits.js';

/**
 * Due dates for which their app had no room when a run came to them, the longest overdue first: they are taken
 * up as room comes, and need not be looked for again. What is over the bound a later run finds.
 */
export class PassedOver {
  readonly #byApp = new Map<string, DueDate[]>();

  keep(date: DueDate): void {
    const own = this.#byApp.get(date.appId);
    if (own === undefined) this.#byApp.set(date.appId, [date]);
    else if (own.length < PASSED_OVER_OF_AN_APP) own.push(date);
  }

  /** The next one of an app; it is kept no longer. */
  take(appId: string): DueDate | undefined {
    return this.#byApp.get(appId)?.shift();
  }

  /** A run that begins finds all of them again. */
  clear(): void {
    this.#byApp.clear();
  }
}
