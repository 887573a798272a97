import type { Instant, Position } from '#domain/event';
import { type LedgerStore, START } from '#event-store';

type AgesStore = Pick<LedgerStore, 'headPosition' | 'findTime' | 'findTimeAfter'>;

/** The ages of events in the store, by its own clock; each place is asked for once. */
export class Ages {
  readonly #asked = new Map<Position, Promise<number>>();

  private constructor(
    private readonly store: AgesStore,
    readonly head: Position,
    /** When the last event was written; undefined of an empty store. */
    readonly headWrittenAt: Instant | undefined,
  ) {}

  /** @throws Fault of the store. */
  static async open(store: AgesStore): Promise<Ages> {
    const head = await store.headPosition();
    const writtenAt = head === START ? undefined : await store.findTime(head);
    return new Ages(store, head, writtenAt);
  }

  /** For how long nothing was written; null of an empty store. */
  get headAgeSeconds(): number | null {
    return this.headWrittenAt === undefined ? null : secondsSince(this.headWrittenAt);
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
