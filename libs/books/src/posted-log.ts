import type { AccountingPeriod, JournalRow } from '#domain/bookkeeping';
import type { Instant, RecordedEvent } from '#domain/event';
import { createCodec, type LedgerStore } from '#event-store';
import type { FoundCheckpoint } from '#sealing';
import type { GivenTerms } from './finance-terms.js';
import { CheckpointTimes } from './checkpoint-times.js';
import type { BookedClose, ForeseenClose } from './foreseen-close.js';
import { LeafOrder } from './leaf-order.js';

/** An event of the ledger with its booking number. */
export interface BookedEvent {
  readonly leaf: number;
  /** The moment of the first checkpoint that has the leaf. */
  readonly bookedAt: Instant;
  readonly event: RecordedEvent;
}

/** Posts events in the order of their leaves, from the first one on. */
export interface Poster {
  /** Whether events of a stream and a stored type may have entries, or change those of others. */
  isWanted(streamName: string, type: string): boolean;
  post(booked: BookedEvent): readonly JournalRow[];
  /** Closes for which entries were posted that are late for them: they have to be foreseen from the first event on. */
  readonly missed?: readonly ForeseenClose[];
  /** The closes of all apps so far, in the order of their events. */
  readonly closes?: readonly BookedClose[];
  /**
   * The money that was earned in a month that was just closed, as entries (rules/finance 3): those of one payment at a
   * time.
   *
   * @param bookedAt the moment of the close's checkpoint.
   */
  recognize?(close: BookedClose, bookedAt: Instant): Iterable<readonly JournalRow[]>;
  /** The months in which some app has entries, and which it has not closed. */
  readonly openPeriods?: ReadonlySet<AccountingPeriod>;
  /** No further event comes. */
  end?(): void;
}

/** @param folder for payments beyond those in memory: it exists. */
export type MakePoster = (folder: string, terms: GivenTerms) => Poster;

/** Rows of one event: a close has very many, and gives them in parts. */
export interface PostedRows {
  readonly leaf: number;
  readonly rows: readonly JournalRow[];
}

/** The store of a ledger whose books are kept. */
export type BookedStore = Pick<
  LedgerStore,
  'append' | 'names' | 'namespaces' | 'readStream' | 'verbatim'
>;

/** The entries of a ledger in the order of leaves, from its first one on, as far as they were asked for. */
export class PostedLog {
  readonly #codec;
  #next = 0;

  /** @param app the only one whose closes give entries; all of them where it is left out. */
  constructor(
    private readonly store: BookedStore,
    private readonly poster: Poster,
    private readonly app?: string,
  ) {
    this.#codec = createCodec({ names: store.names });
  }

  get openPeriods(): ReadonlySet<AccountingPeriod> | undefined {
    return this.poster.openPeriods;
  }

  get closes(): readonly BookedClose[] {
    return this.poster.closes ?? [];
  }

  /** Where there are some, all that was posted is wrong, and has to be posted again with these closes foreseen. */
  get missed(): readonly ForeseenClose[] {
    return this.poster.missed ?? [];
  }

  /**
   * Posts on, up to the end of a checkpoint's tree. After an error, or when the caller leaves early, another log has to
   * begin anew: the poster knows a part of the events.
   *
   * @throws Fault of the store; UndecodableEvent for an event of a newer release.
   */
  async *postUpTo(upTo: FoundCheckpoint): AsyncGenerator<PostedRows> {
    const order = new LeafOrder(this.store, { from: this.#next, upTo });
    for await (const { leaf, bookedAt, event } of order.read()) {
      const streamName = this.store.names.fromStored(event.streamName);
      if (!this.poster.isWanted(streamName, event.type)) continue;
      const known = this.closes.length;
      const rows = this.poster.post({ leaf, bookedAt, event: this.#codec.decode(event) });
      if (rows.length > 0) yield { leaf, rows };
      for (const close of this.closes.slice(known)) yield* this.#recognize(close);
    }
    this.#next = upTo.checkpoint.size;
  }

  async *#recognize(close: BookedClose): AsyncGenerator<PostedRows> {
    if (this.app !== undefined && this.app !== close.app) return;
    const times = new CheckpointTimes(this.store);
    await times.find(close.size - 1);
    const { leaf } = close;
    for (const rows of this.poster.recognize?.(close, times.at) ?? []) yield { leaf, rows };
  }

  /** Nothing more is posted. */
  end(): void {
    this.poster.end?.();
  }
}
