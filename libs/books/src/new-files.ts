import type { AccountingPeriod } from '#domain/bookkeeping';
import type { FoundCheckpoint } from '#sealing';
import type { BooksLog, FilesToAdd } from './books-log.js';
import type { BooksState } from './books-state.js';
import type { BooksWork } from './books-work.js';
import type { ForeseenClose } from './foreseen-close.js';
import type { PostedLog } from './posted-log.js';

/** An event covers so many leaves without entries, so that no later start posts them again. */
const SILENT_LEAVES = 100_000;

/** Writes the files of new events. Behind an error, or another bookkeeper's writing, it has to `end`. */
export class NewFiles {
  #posted: PostedLog | undefined;

  constructor(
    private readonly work: BooksWork,
    private readonly log: BooksLog,
  ) {}

  /** The months in which some app has entries, and which it has not closed; undefined where nothing was posted. */
  get openPeriods(): ReadonlySet<AccountingPeriod> | undefined {
    return this.#posted?.openPeriods;
  }

  /** Forgets the postings: the next writing begins anew. */
  end(): void {
    this.#posted?.end();
    this.#posted = undefined;
  }

  /** Writes the entries of all events up to a checkpoint. @returns the books with them. */
  async write(state: BooksState, upTo: FoundCheckpoint): Promise<BooksState> {
    const writing = { state, upTo, from: state.size, replaced: [], foreseen: [] };
    const first = await this.#write(writing);
    if (!isMissed(first)) return first;
    // Entries were booked in periods that have been closed without them.
    this.end();
    const again = { ...writing, ...findReplaced(state, first), foreseen: first };
    const second = await this.#write(again);
    if (!isMissed(second)) return second;
    throw new Error(`closes count before the former ones: ${second.length}`);
  }

  /** @returns the books; or closes that were not foreseen: nothing is written then. */
  async #write(writing: Writing): Promise<BooksState | readonly ForeseenClose[]> {
    const { state, upTo, from, replaced, foreseen } = writing;
    const { size } = upTo.checkpoint;
    return this.work.stage(async (staged) => {
      const posted = (this.#posted ??= this.work.beginLog([...state.foreseen, ...foreseen]));
      for await (const { leaf, rows } of posted.postUpTo(upTo)) {
        if (leaf < from) continue;
        for (const row of rows) staged.add(row, { first: from, last: size - 1 });
        await this.work.pace(staged);
      }
      if (posted.missed.length > 0) return posted.missed;
      const files = await this.work.writeFiles(staged);
      const closes = posted.closes.filter(({ leaf }) => leaf >= from);
      const isChange = files.length > 0 || foreseen.length > 0 || closes.length > 0;
      if (!isChange && size - state.size < SILENT_LEAVES) return state;
      return this.log.addFiles(state, { size, files, replaced, foreseen, closes });
    });
  }
}

/** The events of some leaves on their way into files. */
interface Writing extends Required<Pick<FilesToAdd, 'replaced' | 'foreseen'>> {
  readonly state: BooksState;
  readonly upTo: FoundCheckpoint;
  /** The first leaf. */
  readonly from: number;
}

function isMissed(found: BooksState | readonly ForeseenClose[]): found is readonly ForeseenClose[] {
  return Array.isArray(found);
}

/** The files that have entries from the first of some closes on, and the first leaf that they are about. */
function findReplaced({ size, files }: BooksState, closes: readonly ForeseenClose[]) {
  let from = Math.min(size, ...closes.map((close) => close.size));
  for (;;) {
    const replaced = [...files.values()].filter(({ last }) => last >= from);
    const first = Math.min(from, ...replaced.map((file) => file.first));
    if (first === from) return { from, replaced: replaced.map((file) => file.path) };
    from = first;
  }
}
