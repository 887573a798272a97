import { type LedgerStore, RevisionConflict } from '#event-store';
import { Fault, newUuid, sleepUnlessAborted } from '#platform';
import type { CopyWindow } from './copy-windows.js';
import { WINDOW_EVENTS } from './limits.js';

const SAMPLED = 'store_copy.sampled.v1';
const EMPTY = Buffer.from('{}');
/** Pauses in multiples of the work before them: with the longest, a fifth of the time is work. */
const LONGEST_PAUSE = 4;
const SHORTEST_PAUSE = 0.25;
/** Appends are slower while the copy works when they take so many times as long. */
const SLOWER = 2;
/** Of how many appends each the median is taken, and how far they are apart. */
const SAMPLES = 2;
const SAMPLE_EVERY_MS = 100;
/** The copy comes nearer to the source's end by at least a quarter of the events written meanwhile. */
const FASTER_THAN_WRITES = 1.25;
/**
 * By this copy's own samples less than a hundredth of the copied amount is written meanwhile, so that there is no
 * writer to slow down.
 */
const HARDLY_WRITTEN = 0.01;

/** The pace of a copy between two windows. */
export interface CopyPace {
  /** The most events of a window. */
  readonly windowEvents: number;
  /**
   * Called when a window is done; the next one is begun when it resolves.
   *
   * @param isFollowing whether all that the source had has come: then no more comes than is written.
   */
  pauseBehind(window: CopyWindow, signal: AbortSignal, isFollowing: boolean): Promise<void>;
}

/** For a source whose programs are stopped. */
export const UNPACED: CopyPace = {
  windowEvents: WINDOW_EVENTS,
  pauseBehind: async () => undefined,
};

interface PaceOptions {
  readonly nowMs?: () => number;
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** So many events a second at most. */
export class BoundedPace implements CopyPace {
  readonly windowEvents: number;
  #dueMs: number;

  constructor(
    private readonly maxPerSecond: number,
    private readonly options: PaceOptions = {},
  ) {
    this.windowEvents = Math.min(WINDOW_EVENTS, maxPerSecond);
    this.#dueMs = this.#nowMs();
  }

  async pauseBehind({ events }: CopyWindow, signal: AbortSignal): Promise<void> {
    const nowMs = this.#nowMs();
    // Unused time is not made up for.
    this.#dueMs =
      Math.max(this.#dueMs, nowMs - 1_000) + (events.length / this.maxPerSecond) * 1_000;
    const { sleep = sleepUnlessAborted } = this.options;
    if (this.#dueMs > nowMs) await sleep(this.#dueMs - nowMs, signal);
  }

  #nowMs(): number {
    return (this.options.nowMs ?? (() => performance.now()))();
  }
}

/**
 * Pauses as long as the ledger needs, which is as long as it works at first, and four times that at most. The pauses are halved as long as appends at the
 * source take less than twice as long while the copy works as while it pauses, and doubled where they take longer. They are
 * halved as well where the copy would not end otherwise, since as much is written as it copies, and where hardly anything
 * is written.
 */
export class ConsideratePace implements CopyPace {
  readonly windowEvents = WINDOW_EVENTS;
  readonly #whileWorking: number[] = [];
  readonly #whilePaused: number[] = [];
  /** It begins with care: the cost of that for an idle source is over within a second. */
  #pauseTimes = 1;
  #workingSinceMs: number | undefined;
  #sampledAtMs = -Infinity;
  #sampling: Promise<unknown> = Promise.resolve();
  #before: { readonly copied: number; readonly head: number } | undefined;

  /** @param measureAppend how long an append at the source takes now, in milliseconds; undefined where it failed. */
  constructor(
    private readonly source: Pick<LedgerStore, 'headPosition'>,
    private readonly measureAppend: () => Promise<number | undefined>,
    private readonly options: PaceOptions = {},
  ) {}

  async pauseBehind(window: CopyWindow, signal: AbortSignal, isFollowing: boolean): Promise<void> {
    await this.#sampling;
    const { sleep = sleepUnlessAborted } = this.options;
    // The first window has waited for connections, which is no work.
    const workedMs = this.#nowMs() - (this.#workingSinceMs ?? this.#nowMs());
    if (!isFollowing && this.#pauseTimes > 0) await sleep(workedMs * this.#pauseTimes, signal);
    if (!isFollowing && this.#nowMs() - this.#sampledAtMs >= SAMPLE_EVERY_MS)
      await this.#sample(window);
    this.#workingSinceMs = this.#nowMs();
  }

  /** One append now, in a pause, and one beside the next window. */
  async #sample({ upTo }: CopyWindow): Promise<void> {
    this.#sampledAtMs = this.#nowMs();
    add(this.#whilePaused, await this.measureAppend());
    if (this.#whileWorking.length >= SAMPLES) await this.#adapt(Number(upTo));
    this.#sampling = this.measureAppend().then((ms) => add(this.#whileWorking, ms));
  }

  async #adapt(copied: number): Promise<void> {
    const head = Number(await this.source.headPosition());
    const isSlower = median(this.#whileWorking) > SLOWER * median(this.#whilePaused);
    const before = this.#before;
    this.#before = { copied, head };
    if (before !== undefined) {
      const [gained, written] = [copied - before.copied, head - before.head];
      const isEnding = gained >= FASTER_THAN_WRITES * written;
      const isHarmful = isSlower && written > HARDLY_WRITTEN * gained;
      this.#pauseTimes =
        isEnding && isHarmful ? longer(this.#pauseTimes) : shorter(this.#pauseTimes);
    }
    this.#whileWorking.length = 0;
    this.#whilePaused.length = 0;
  }

  #nowMs(): number {
    return (this.options.nowMs ?? (() => performance.now()))();
  }
}

function longer(pauseTimes: number): number {
  return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, pauseTimes * 2));
}

function shorter(pauseTimes: number): number {
  return pauseTimes <= SHORTEST_PAUSE ? 0 : pauseTimes / 2;
}

function add(samples: number[], ms: number | undefined): void {
  if (ms !== undefined) samples.push(ms);
}

function median(samples: readonly number[]): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/**
 * Takes the time of one append at the source of a copy: into a stream outside of the namespace, which keeps its last event
 * alone.
 *
 * @returns a function that answers with milliseconds; with undefined where the store did not take it.
 */
export async function beginSamples(
  { verbatim }: Pick<LedgerStore, 'verbatim'>,
  namespace: string,
): Promise<() => Promise<number | undefined>> {
  const stream = `subledger_copy_samples-${namespace}`;
  const limit = toForm('$metadata', Buffer.from(JSON.stringify({ $maxCount: 1 })));
  try {
    await verbatim.append(`$$${stream}`, 'no_stream', [limit]);
  } catch (error) {
    // An earlier copy has limited it, or the source takes nothing from this user: then nothing is sampled.
    if (!(error instanceof RevisionConflict || error instanceof Fault)) throw error;
  }
  return async () => {
    const startedAtMs = performance.now();
    try {
      await verbatim.append(stream, 'any', [toForm(SAMPLED, EMPTY)]);
      return performance.now() - startedAtMs;
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  };
}

function toForm(type: string, data: Buffer) {
  return { id: newUuid(), type, contentType: 'application/json', data, metadata: EMPTY };
}
