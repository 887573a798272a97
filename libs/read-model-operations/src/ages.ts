import type { Instant, Position } from '#domain/event';
import { START } from '#event-store';
import type { ReadModelLedger } from './ledger.js';

/** The ages of events in the store, by its own clock; each place is asked for once. */
export class Ages {
  readonly #asked = new Map<Position, Promise<number>>();

  private constructor(
    private readonly store: ReadModelLedger['store'],
    readonly head: Position,
    /** For how long nothing was written; null of an empty store. */
    readonly headAgeSeconds: number | null,
  ) {}

  /** @throws Fault of the store. */
  static async open(store: ReadModelLedger['store']): Promise<Ages> {
    const head = await store.headPosition();
    const writtenAt = head === START ? undefined : await store.findTime(head);
    return new Ages(store, head, writtenAt === undefined ? null : secondsSince(writtenAt));
  }

  /** For how long the first event behind a position has been in the store; 0 where none is there. @throws Fault. */
  ofOldestUnapplied(position: Position): Promise<number> {
    if (position >= this.head) return Promise.resolve(0);
    const asked = this.#asked.get(position) ?? this.#ask(position);
    this.#asked.set(position, asked);
    return asked;
  }

  async #ask(position: Position): Promise<number> {
    const writtenAt = await this.store.findTimeAfter(position);
    return writtenAt === undefined ? 0 : secondsSince(writtenAt);
  }
}

/** Clocks of machines differ: nothing is younger than now. */
function secondsSince(at: Instant): number {
  return Math.max(0, (Date.now() - Date.parse(at)) / 1_000);
}
