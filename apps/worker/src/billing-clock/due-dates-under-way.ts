import { Inject, Injectable } from '@nestjs/common';
import type { Partitions } from '#event-store';
import { groupBy } from '#platform';
import type { DueDate } from '#projections';
import { SLOTS_AT_LEAST, UNDER_WAY_LIMIT_MS, UNDER_WAY_OF_AN_APP } from '../limits.js';
import { PARTITIONS } from '../tokens.js';
import type { Processed } from './due-dates.js';
import { PendingCharges } from './pending-charges.js';

/**
 * How many due dates of an app the scheduler has begun that have no outcome yet (rules/fairness 2). An app of
 * which all subscriptions are due at once would else fill the log with them, and all others would wait behind.
 */
@Injectable()
export class DueDatesUnderWay {
  readonly #counts = new Map<string, number>();
  #onRoom: (appId: string) => void = () => undefined;
  readonly #most: number;

  constructor(
    private readonly pending: PendingCharges,
    @Inject(PARTITIONS) { count }: Partitions,
  ) {
    this.#most = Math.max(SLOTS_AT_LEAST / 2, Math.ceil(UNDER_WAY_OF_AN_APP / count));
  }

  hasRoom(appId: string): boolean {
    return (this.#counts.get(appId) ?? 0) < this.#most;
  }

  /** Calls with an app each time that one of its due dates has come to an end. */
  onRoom(listener: (appId: string) => void): void {
    this.#onRoom = listener;
  }

  /** Counts a due date until it has its outcome, or its charge takes its time. @throws the error of `process`. */
  async follow(appId: string, process: () => Promise<Processed>): Promise<void> {
    this.#counts.set(appId, (this.#counts.get(appId) ?? 0) + 1);
    // The outcome may be there before the command is answered.
    const news = this.pending.beginNews();
    const { paymentId } = await process().catch((error: unknown) => {
      news.end();
      // Due dates that were passed over are left to the next run: where one fails, the next one may, too.
      this.#end(appId);
      throw error;
    });
    const end = () => {
      this.#end(appId);
      this.#onRoom(appId);
    };
    if (paymentId === null) {
      news.end();
      end();
    }
    // Not waited for: others are taken up meanwhile.
    else void news.waitFor(paymentId, UNDER_WAY_LIMIT_MS).then(end);
  }

  #end(appId: string): void {
    const count = (this.#counts.get(appId) ?? 0) - 1;
    if (count > 0) this.#counts.set(appId, count);
    else this.#counts.delete(appId);
  }
}

/** Due dates of several apps, one of each in turn; each app's own stay in their order. */
export function takeTurns(due: readonly DueDate[]): DueDate[] {
  const apps = groupBy(due, ({ appId }) => appId);
  const longest = Math.max(0, ...apps.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => apps.flatMap((own) => own[at] ?? [])).flat();
}
