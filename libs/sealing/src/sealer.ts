import type { Position } from '#domain/event';
import { type FollowedItem, type LedgerStore, RevisionConflict } from '#event-store';
import {
  isRetryableFault,
  jitteredDelayMs,
  type Log,
  retry,
  Fault,
  sleepUnlessAborted,
  warnSeldom,
} from '#platform';
import { ledgerPattern } from './leaf-table.js';
import { type FoundCheckpoint, SealReader } from './seal-reader.js';
import { SealWriter } from './seal-writer.js';
import { loadSealedLog } from './sealed-log.js';
import type { SealingKeys } from './sealing-keys.js';
import { CHECKPOINTS_STREAM } from './stored-seals.js';

/** Two sealers at once meet at a revision, and one of them begins again: more often than this they never do. */
const ATTEMPTS = 8;
/** Before a sealer begins again, with full jitter. */
const AGAIN_BASE_MS = 50;
const AGAIN_CAP_MS = 5_000;
/** So often a running sealer looks whether a checkpoint is due, at most. */
const POLL_MS = 1_000;

/** The ledger of a sealer, and its means of signing. */
export interface SealingOptions {
  readonly store: LedgerStore;
  readonly keys: SealingKeys;
  /** Begins the origin of a ledger that has no checkpoint yet. */
  readonly originHost: string;
}

/** How far a running sealer is. */
export interface SealingFigures {
  readonly leaves: number;
  readonly checkpointSize: number;
  /** In milliseconds since 1970, by the store's clock; 0 where there is no checkpoint. */
  readonly checkpointAtMs: number;
}

export interface SealerOptions extends SealingOptions {
  /** Between two checkpoints while events come, in milliseconds. */
  readonly intervalMs: number;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Called at each look at the log, with the position up to which it was read. */
  readonly onProgress?: (upTo: Position) => void;
  /** All events that were there when sealing began have their leaves. */
  readonly onCaughtUp?: () => void;
  /** There may be a checkpoint that was not there before, made by this sealer or another one. */
  readonly onCheckpoint?: () => void;
  readonly onFigures?: (figures: SealingFigures) => void;
}

/**
 * Seals all events that the ledger has now, and signs a checkpoint where they are not in one. It may run beside a
 * bookkeeper: the expected revisions let one of both begin again.
 *
 * @returns the last checkpoint; undefined for a ledger without events. @throws SettingRefused for a wrong key; Fault.
 */
export async function sealNow(options: SealingOptions): Promise<FoundCheckpoint | undefined> {
  const limits = { attempts: ATTEMPTS, baseMs: AGAIN_BASE_MS, capMs: AGAIN_CAP_MS };
  return retry(async () => {
    const end = new AbortController();
    try {
      await new Pass(options, end.signal).sealAll();
      return await new SealReader(options.store).findLast();
    } catch (error) {
      throw error instanceof RevisionConflict ? overtaken(error) : error;
    } finally {
      end.abort();
    }
  }, limits);
}

/**
 * Seals new events as they come, and signs a checkpoint after each interval in which some came. After an error it
 * reads anew how far the ledger is sealed, and goes on there.
 *
 * @returns when the signal is aborted. @throws SettingRefused for a wrong key; Fault where the seals cannot be read.
 */
export async function runSealer(options: SealerOptions): Promise<void> {
  const { signal, log } = options;
  for (let failures = 0; !signal.aborted;) {
    const onCaughtUp = () => {
      failures = 0;
      options.onCaughtUp?.();
    };
    const end = new AbortController();
    try {
      await new Pass({ ...options, onCaughtUp }, AbortSignal.any([signal, end.signal])).run();
    } catch (error) {
      if (!(error instanceof RevisionConflict) && !isRetryableFault(error)) throw error;
      warnSeldom(log, error, 'sealing was interrupted; it goes on where the ledger is sealed');
    } finally {
      end.abort();
    }
    const waitMs = jitteredDelayMs(failures, AGAIN_BASE_MS, AGAIN_CAP_MS);
    failures += 1;
    await sleepUnlessAborted(waitMs, signal);
  }
}

type PassOptions = SealingOptions & Partial<SealerOptions>;

/** One run of sealing, from the last sealed event on, until something interrupts it. */
class Pass {
  #isCaughtUp = false;
  readonly #checkpointsStream: string;

  constructor(
    private readonly options: PassOptions,
    private readonly signal: AbortSignal,
  ) {
    this.#checkpointsStream = options.store.names.toStored(CHECKPOINTS_STREAM);
  }

  async sealAll(): Promise<void> {
    const { writer, items } = await this.#begin();
    for await (const item of items) {
      if (this.#take(writer, item)) await this.#flush(writer);
      if (item.kind === 'caught-up') break;
    }
    await writer.sign();
    await writer.flush();
  }

  async run(): Promise<void> {
    const { writer, items } = await this.#begin();
    const ended = new AbortController();
    const checkpoints = this.#signWhenDue(writer, ended.signal);
    const follow = async () => {
      for await (const item of items) {
        if (this.#take(writer, item)) await this.#flush(writer);
        if (item.kind === 'caught-up') this.options.onCaughtUp?.();
      }
    };
    try {
      await Promise.race([follow(), checkpoints]);
    } finally {
      ended.abort();
      await checkpoints.catch(() => undefined);
    }
  }

  async #begin() {
    const { store, keys, originHost } = this.options;
    const log = await loadSealedLog(store);
    const writer = new SealWriter(store, log, keys, originHost);
    const pattern = ledgerPattern(store.names.namespace);
    return { writer, items: store.verbatim.follow(log.after, pattern, this.signal) };
  }

  /** @returns whether there is something to write: most events need not be waited for. */
  #take(writer: SealWriter, item: FollowedItem): boolean {
    if (item.kind === 'event') {
      writer.add(item.event);
      this.options.onProgress?.(item.event.position);
    }
    this.#watchCheckpoints(item);
    return writer.isFull || item.kind === 'caught-up';
  }

  async #flush(writer: SealWriter): Promise<void> {
    await writer.flush();
    this.#report(writer);
  }

  /** Once for all that were made before; then for each, also where the command line made it. */
  #watchCheckpoints(item: FollowedItem): void {
    if (item.kind === 'caught-up') this.#isCaughtUp = true;
    else if (!this.#isCaughtUp || item.kind !== 'event') return;
    else if (item.event.streamName !== this.#checkpointsStream) return;
    this.options.onCheckpoint?.();
  }

  /** A ledger in which nothing happens gets no checkpoint. */
  async #signWhenDue(writer: SealWriter, signal: AbortSignal): Promise<void> {
    const { intervalMs = 0 } = this.options;
    const pollMs = Math.min(POLL_MS, intervalMs);
    while (await sleepUnlessAborted(pollMs, signal)) {
      const isDue = Date.now() - writer.checkpoint.atMs >= intervalMs;
      if (isDue && writer.hasNews) await writer.sign();
      this.#report(writer);
    }
  }

  #report(writer: SealWriter): void {
    const { size: checkpointSize, atMs: checkpointAtMs } = writer.checkpoint;
    this.options.onFigures?.({ leaves: writer.size, checkpointSize, checkpointAtMs });
  }
}

function overtaken(cause: RevisionConflict): Fault {
  const message = 'another program sealed the ledger at the same time';
  return new Fault('conflict', message, { retryable: true, cause });
}
