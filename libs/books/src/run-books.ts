import {
  jitteredDelayMs,
  type Log,
  SettingRefused,
  sleepUnlessAborted,
  warnSeldom,
} from '#platform';
import { SealReader } from '#sealing';
import { type BooksFigures, BooksKeeper, type BooksOptions } from './keep-books.js';

/** So often a bookkeeper looks for a checkpoint behind the books, at most: a small read. */
const POLL_MS = 30_000;
/** Before another attempt, with full jitter. */
const AGAIN_BASE_MS = 1_000;
const AGAIN_CAP_MS = 60_000;

export interface RunningBooks extends BooksOptions {
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly onFigures: (figures: BooksFigures) => void;
}

/**
 * Keeps the books up to the last checkpoint, until the signal is aborted: at once, and then each interval in which there
 * is a new one. Sealing, which runs beside it, ends by no fault of the books, such as a full disk.
 *
 * @throws SettingRefused for a folder with other books.
 */
export async function runBooks(options: RunningBooks): Promise<void> {
  const { signal, log } = options;
  const keeper = new BooksKeeper(options);
  const pass = new BooksPass(keeper, options);
  const pollMs = Math.min(POLL_MS, options.intervalMs);
  for (let failures = 0; !signal.aborted;) {
    try {
      await pass.run();
      failures = 0;
      await sleepUnlessAborted(pollMs, signal);
    } catch (error) {
      if (isEnded(signal)) break;
      if (error instanceof SettingRefused) throw error;
      warnSeldom(log, error, 'the books wait for another attempt');
      await sleepUnlessAborted(jitteredDelayMs(failures, AGAIN_BASE_MS, AGAIN_CAP_MS), signal);
      failures += 1;
    }
  }
  keeper.end();
}

/** It may have been aborted during the pass. */
function isEnded(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** Looks for a checkpoint, and keeps the books when it is time. */
class BooksPass {
  #size = -1;
  #nextMs = -Infinity;

  constructor(
    private readonly keeper: BooksKeeper,
    private readonly options: RunningBooks,
  ) {}

  async run(): Promise<void> {
    const { store, intervalMs, onFigures } = this.options;
    if (performance.now() < this.#nextMs) return;
    const size = (await new SealReader(store).findLast())?.checkpoint.size ?? 0;
    if (size === this.#size) return;
    const figures = await this.keeper.keep();
    onFigures(figures);
    const dueInMs = Math.min(figures.writtenAtMs + intervalMs - Date.now(), intervalMs);
    const isTooEarly = figures.size < size && dueInMs > 0;
    this.#size = isTooEarly ? -1 : size;
    this.#nextMs = performance.now() + (isTooEarly ? dueInMs : intervalMs);
  }
}
