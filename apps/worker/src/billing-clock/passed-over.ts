import type { DueDate } from '#projections';
import { DUE_IN_A_RUN } from '../limits.js';

/** Due dates of all apps in a partition that are kept, some 200 bytes each: all that two runs look at. */
export const PASSED_OVER_KEPT = 2 * DUE_IN_A_RUN;

/**
 * Due dates for which their app had no room when a run came to them, the longest overdue of each app first: they are
 * taken up as room comes, whatever later runs look at meanwhile (rules/fairness 2). No app has more of them than are
 * left for the others. Due dates beyond these bounds are found when the list is gone through again.
 */
export class PassedOver {
  readonly #byApp = new Map<string, DueDate[]>();
  /** Those that are kept: each run looks at all of them again. */
  readonly #keys = new Set<string>();

  /** A run that begins the list again finds a date that is kept; it is kept once. */
  keep(date: DueDate): void {
    if (this.#keys.has(keyFor(date))) return;
    const own = this.#byApp.get(date.appId) ?? [];
    const at = own.findLastIndex(({ dueAt }) => dueAt <= date.dueAt) + 1;
    const isFull = own.length >= PASSED_OVER_KEPT - this.#keys.size;
    if (isFull && at === own.length) return;
    if (isFull) this.#forget(own.pop());
    own.splice(at, 0, date);
    this.#keys.add(keyFor(date));
    this.#byApp.set(date.appId, own);
  }

  /** The next one of an app; it is kept no longer. */
  take(appId: string): DueDate | undefined {
    const own = this.#byApp.get(appId);
    const next = own?.shift();
    this.#forget(next);
    if (own?.length === 0) this.#byApp.delete(appId);
    return next;
  }

  /** The apps of which any is kept. */
  listApps(): string[] {
    return [...this.#byApp.keys()];
  }

  #forget(date: DueDate | undefined): void {
    if (date !== undefined) this.#keys.delete(keyFor(date));
  }
}

function keyFor({ appId, subjectId, dueAt }: DueDate): string {
  return `${appId} ${subjectId} ${dueAt}`;
}
